import type { Finding } from '../../scanner/verdict/finding.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { Note } from '../../scanner/verdict/note.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import type { Trial } from '../../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { SiteAddress } from '../sites/site-input.js';

/** The result of a free scan. It is kept for an hour, for everyone who asks for the same host. */
export interface FreeScan {
  readonly hostname: string;
  /** Such as `https://www.example.com`; absent in a result of an earlier version. */
  readonly origin?: string;
  /** 0 to 100, or null when nothing scorable could be determined. */
  readonly score: number | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly findings: readonly Finding[];
  /** Advice alongside the findings; absent in a result of an earlier version. */
  readonly notes?: readonly Note[];
  /** The name of the host that the site has moved to, in its own words: for the page of the result alone. Absent likewise. */
  readonly movedTo?: string | null;
  /** What fixing each failure adds to the score; absent likewise. */
  readonly gains?: readonly Gain[];
}

/** Some checks of a site, made again. */
export interface VerifiedChecks {
  readonly hostname: string;
  /** One for each check, in the order of the registry. */
  readonly findings: readonly Finding[];
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
}

/** A site as it is, and with a file. */
export interface TriedFile {
  readonly hostname: string;
  readonly trial: Trial;
}

/** A requested scan: a running one, or the last result of this hour. */
export interface FreeScanTicket {
  readonly hostname: string;
  /** Rejects with a ServiceError when the scan failed by a fault of ours or for lack of a slot. */
  readonly done: Promise<FreeScan>;
  /** Whether this call or one at the same time started it; false for an earlier result. */
  readonly isFresh: boolean;
  /** Called with each step until `done`; the function that comes back ends it. */
  onProgress(listener: (progress: ScanProgress) => void): () => void;
}

/** The state of a free scan. `failed` is reported for a minute, so that its watchers see it: `message` is fixed text. */
export type FreeScanState =
  | { readonly state: 'running'; readonly progress: ScanProgress }
  | { readonly state: 'done'; readonly scan: FreeScan }
  | { readonly state: 'failed'; readonly message: string };

export function freeScanOf({ hostname, origin }: SiteAddress, report: ScanReport): FreeScan {
  const { score, startedAt, finishedAt, findings, notes, movedTo, gains } = report;
  const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
  return { hostname, origin: origin.origin, score, ...times, findings, notes, movedTo, gains };
}
