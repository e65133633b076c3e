import type { Evidence, EvidenceKind, EvidenceMap } from '../domain/evidence.js';
import type { Outcome } from '../domain/evidence/resource.js';
import type { LinkState } from '../domain/evidence/llms.js';
import type { FetchOptions, ScanTarget, SiteResponse, Visit } from './visit.js';

/** The shapes that a control exists for: a random path that cannot exist, asked for once a shape. */
export type ControlShape = 'txt' | 'xml' | 'json' | 'well-known' | 'page';

/** What every collector works with. */
export interface CollectContext {
  readonly target: ScanTarget;
  readonly visit: Visit;
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
  readFile(path: string, shape: ControlShape, options?: FetchOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /** Fetches one resource and holds it against the control of its shape (the outcome rule). */
  read(url: URL, shape: ControlShape, options?: FetchOptions): Promise<Evidence<Outcome<SiteResponse>>>;
  /** Whether a link is dead: 404 or 410 twice, no such host, or a proven soft 404. */
  probeLink(url: URL, options?: FetchOptions): Promise<LinkState>;
}

/** Gathers one kind of evidence; never throws for anything that the site does. */
export type Collector<K extends EvidenceKind> = (context: CollectContext) => Promise<Evidence<EvidenceMap[K]>>;
