import type { Trial } from '../../scanner/scan/recorded-scan.js';
import type { ScanProgress } from '../../scanner/report/progress.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { SiteAddress } from '../sites/site-input.js';

/** The result of a free scan, cached for an hour for everyone who asks for the same host. */
export interface FreeScan extends Pick<ScanReport, 'score' | 'findings' | 'notes' | 'movedTo' | 'gains' | 'answer'> {
  readonly hostname: string;
  /** Such as `https://www.example.com`. */
  readonly origin: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** A scan of a site as it is, and one with a file. */
export interface TriedFile {
  readonly hostname: string;
  readonly trial: Trial;
}

/** A requested scan: a running one, or the last result of this hour. */
export interface FreeScanTicket {
  readonly hostname: string;
  /** Rejects with a ServiceError when the scan failed by a fault of ours or for lack of a slot. */
  readonly done: Promise<FreeScan>;
  /** True if this call or a concurrent one started it; false for an earlier result. */
  readonly isFresh: boolean;
}

/** The state of a free scan. `failed` is reported for a minute, so that its watchers see it: `message` is fixed text. */
export type FreeScanState =
  | { readonly state: 'running'; readonly progress: ScanProgress }
  | { readonly state: 'done'; readonly scan: FreeScan }
  | { readonly state: 'failed'; readonly message: string };

export function freeScanOf({ hostname, origin }: SiteAddress, report: ScanReport): FreeScan {
  const { score, startedAt, finishedAt, findings, notes, movedTo, gains, answer } = report;
  const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
  return { hostname, origin: origin.origin, score, ...times, findings, notes, movedTo, gains, answer };
}
