import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { Note } from '../../scanner/verdict/note.js';

/** What `scan --format json` prints: the contract's fields, except those that only a stored run has. */
export interface ScanDocument {
  readonly site: {
    readonly hostname: string;
    /** Where the scan began, such as `http://localhost:4000`: ours, alongside the contract's field. Reports of earlier versions have none. */
    readonly origin?: string;
    /** The origin of the site whose preview it is: ours, alongside the contract's field. */
    readonly judgedAs?: string;
  };
  readonly run: {
    readonly score: number | null;
    readonly startedAt: string;
    readonly finishedAt: string;
    /** What the caller named it by, with --label: ours, alongside the contract's fields. */
    readonly label?: string;
  };
  readonly findings: readonly Finding[];
  /** Ours, alongside the contract's fields. */
  readonly notes: readonly Note[];
  /** Likewise: what fixing each failure adds to the score. */
  readonly gains: readonly Gain[];
  /** Likewise: the pages that the caller named, what came of them, and which of them show a failure; left out where none were. */
  readonly pages?: SampledPages;
}
