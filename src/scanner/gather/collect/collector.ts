import type { Evidence, EvidenceKind, EvidenceMap } from '../../evidence/evidence.js';
import type { Outcome } from '../../evidence/resource.js';
import type { LinkState } from '../../evidence/llms.js';
import type { Baseline } from '../context/baseline.js';
import type { FetchOptions, ScanTarget, SiteResponse, Visit } from '../fetch/visit.js';

/** The shapes that a control exists for: a random path that cannot exist, asked for once a shape. */
export type ControlShape = 'txt' | 'xml' | 'json' | 'well-known' | 'page';

export interface ReadOptions extends FetchOptions {
  /**
   * Whether a body is of the kind asked for. Only asked where the site answers every path with a 2xx that is no HTML (an echo
   * host): there nothing else proves that the file exists.
   */
  readonly validates?: (response: SiteResponse) => boolean | Promise<boolean>;
  /** A 401, 402, 403 or 451 means absent, whatever the control answers: so for robots.txt (RFC 9309 §2.3.1.3). */
  readonly isRefusalAbsent?: boolean;
}

/** What every collector works with. */
export interface CollectContext {
  readonly target: ScanTarget;
  readonly visit: Visit;
  /** When the run began: what a date that the site gives is held against. */
  readonly now: Date;
  /** The home page's answer, or the one reason for which no check can say anything. */
  baseline(): Promise<Baseline>;
  /** Another kind's evidence: started on first use, awaited as often as needed. */
  evidence<K extends EvidenceKind>(kind: K): Promise<Evidence<EvidenceMap[K]>>;
  /**
   * The origin on which files such as /robots.txt are asked for: the home page's final host if it has the same registrable
   * domain, otherwise the original one. Known once the home page has answered.
   */
  fileOrigin(): Promise<URL>;
  /**
   * `read` of a path on the file origin. The first few do not wait for the home page: they go to the target's own origin,
   * and are asked again on the file origin only if that turns out to be another and redirects did not lead there.
   */
  readFile(path: string, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /**
   * Fetches one resource and holds it against the control of its shape (the outcome rule). The detail of a shortfall is a clause
   * for after the name of the resource: "… could not be checked: {detail}."
   */
  read(url: URL, shape: ControlShape, options?: ReadOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /** Whether a link is dead: 404 or 410 twice, no such host, or a proven soft 404. */
  probeLink(url: URL, options?: FetchOptions): Promise<LinkState>;
}

/** Gathers one kind of evidence; never throws for anything that the site does. */
export type Collector<K extends EvidenceKind> = (context: CollectContext) => Promise<Evidence<EvidenceMap[K]>>;
