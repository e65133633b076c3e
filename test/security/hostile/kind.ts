import type { Result } from '../../../src/scanner/verdict/vocabulary.js';

/** One kind of hostile site: a real server on loopback sockets, and what a run must still yield. */
export interface HostileKind {
  /** Unique: the family, then what it does, such as `body: drips`. */
  readonly name: string;
  readonly yields: Yields;
  /** Starts it, with a name server of its own. Whatever is large is made here, not when the kind is listed. */
  readonly start: () => Promise<HostileHost>;
}

/**
 * What a run must yield alongside one finding a check: `nothing` (each finding UNDETERMINED), or the results of some checks. Only
 * what holds under every deadline belongs here.
 */
export type Yields = 'nothing' | Readonly<Record<string, Result | readonly Result[]>>;

/** Where a hostile site is: all that a scanner in another process needs, as plain data. */
export interface HostilePlace {
  /** Such as `http://h1.hostile-site.com:43211`. */
  readonly origin: string;
  /** The ports that a scan may reach. */
  readonly ports: readonly number[];
  /** Its name server, such as `127.0.0.1:43212`. */
  readonly dns: string;
  /** The authority of its certificate, in PEM. */
  readonly ca?: string;
}

export interface HostileHost extends HostilePlace {
  close(): Promise<void>;
}
