import type { Evidence, EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import type { LinkState } from '../artifacts/llms.js';
import type { Baseline } from './baseline.js';
import type { FetchOptions, ScanTarget, SiteResponse, Visit } from '../client/visit.js';

/** The kinds of request with a control: a random path that cannot exist, requested once per shape. */
export type ControlShape = 'txt' | 'xml' | 'json' | 'well-known' | 'page';

export interface ReadOptions extends FetchOptions {
  /**
   * Whether a body is of the requested kind. Called only if the site answers every path with a non-HTML 2xx (an echo host):
   * nothing else there proves that the file exists.
   */
  readonly validates?: (response: SiteResponse) => boolean | Promise<boolean>;
  /** A 401, 402, 403 or 451 means absent, whatever the control answers: for robots.txt (RFC 9309 §2.3.1.3). */
  readonly isRefusalAbsent?: boolean;
}

/** What every collector works with. */
export interface CollectContext {
  readonly target: ScanTarget;
  readonly visit: Visit;
  /** When the run began; dates from the site are compared with it. */
  readonly now: Date;
  /** The home page's answer, or the single reason why no check can say anything. */
  baseline(): Promise<Baseline>;
  /** Another kind's evidence: started on first use, awaited as often as needed. */
  evidence<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>>;
  /**
   * The origin on which files such as /robots.txt are asked for: the home page's final host if it has the same registrable
   * domain, otherwise the original one. Known once the home page has answered.
   */
  fileOrigin(): Promise<URL>;
  /**
   * `read` of a path on the file origin. The first few reads do not wait for the home page: they go to the target's own origin,
   * and are repeated on the file origin only if that differs and redirects did not lead there.
   */
  readFile(path: string, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /**
   * Fetches one resource and compares it with the control of its shape (the outcome rule). The detail of a shortfall is a clause
   * that follows the name of the resource: "… could not be checked: {detail}."
   */
  read(url: URL, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /**
   * Whether nobody on the internet can follow this link of the site: it leads into a private network. Never so where the site itself
   * is in one, or the operator allows scans of it.
   */
  isPrivateLink(url: URL): boolean;
  /** Whether a link is dead: 404 or 410 twice, no such host, or a proven soft 404. */
  probeLink(url: URL, options?: FetchOptions): Promise<LinkState>;
}

/** Gathers one kind of evidence; never throws because of the site. */
export type Collector<K extends EvidenceKind> = (context: CollectContext) => Promise<Evidence<EvidenceMap[K]>>;
