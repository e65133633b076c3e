import type { Evidence, EvidenceKind, EvidenceMap } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import type { LinkState } from '../artifacts/llms.js';
import type { Baseline } from './baseline.js';
import type { FetchOptions, ScanTarget, SiteResponse, Visit } from '../client/visit.js';

/** Kinds of requests that are compared with a control: a random path that cannot exist, requested once per shape. */
export type ControlShape = 'txt' | 'md' | 'xml' | 'json' | 'well-known' | 'page';

export interface ReadOptions extends FetchOptions {
  /**
   * True if a body is of the requested kind. Called only if the site answers every path with a non-HTML 2xx, where nothing else proves
   * that the file exists.
   */
  readonly validates?: (response: SiteResponse) => boolean;
  /**
   * True for robots.txt, where a refusal means absent (RFC 9309 §2.3.1.3) and too many redirects are conclusive (§2.3.1.2), whatever the
   * control returns.
   */
  readonly isRobots?: boolean;
}

/** What every collector works with. */
export interface CollectContext {
  readonly target: ScanTarget;
  readonly visit: Visit;
  /** When the run began; dates from the site are compared with it. */
  readonly now: Date;
  /** Returns the home page's response, or why no check can judge the site. */
  baseline(): Promise<Baseline>;
  /** Returns evidence of another kind, which is collected on first use. */
  evidence<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>>;
  /**
   * Returns the origin of files such as /robots.txt: the home page's final origin if it is on the same site, else the original one. Waits
   * for the home page.
   */
  fileOrigin(): Promise<URL>;
  /**
   * Like `read`, for a path on the file origin. The first few reads do not wait for the home page: they go to the target's origin, and
   * are repeated on the file origin only if it differs and redirects did not lead there.
   */
  readFile(path: string, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /**
   * Fetches a resource and compares it with the control of its shape. The detail of a shortfall is a clause that follows the name of the
   * resource: "… could not be checked: {detail}."
   */
  read(url: URL, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /**
   * True if a link leads into a private network, so that it cannot be followed from the internet. Always false if the site itself is in
   * one, or if the operator allows scans of it.
   */
  isPrivateLink(url: URL): boolean;
  /** Returns the status of a page of the same origin that cannot exist; null without a response. */
  controlStatus(url: URL, options?: FetchOptions): Promise<number | null>;
  /** Follows a link. Dead means 404 or 410 twice, no such host, or a proven soft 404. */
  probeLink(url: URL, options?: FetchOptions): Promise<LinkState>;
}

/** Gathers one kind of evidence; never throws because of the site. */
export type Collector<K extends EvidenceKind> = (context: CollectContext) => Promise<Evidence<EvidenceMap[K]>>;
