import type { Answer } from '../../scanner/artifacts/answer.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { Note } from '../../scanner/verdict/note.js';
import { NO_PROGRESS, type ScanProgress } from '../../scanner/report/progress.js';
import type { Trial } from '../../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { SiteAddress } from '../sites/site-input.js';

/** The result of a free scan, cached for an hour for everyone who asks for the same host. */
export interface FreeScan {
  readonly hostname: string;
  /** Such as `https://www.example.com`. */
  readonly origin: string;
  /** 0 to 100, or null when nothing scorable could be determined. */
  readonly score: number | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly findings: readonly Finding[];
  /** Advice in addition to the findings. */
  readonly notes: readonly Note[];
  /** The name of the host that the site has moved to, in its own words. Only the page of the result shows it. */
  readonly movedTo: string | null;
  /** What fixing each failure adds to the score. */
  readonly gains: readonly Gain[];
  /** Which assistants can read the site. */
  readonly answer: Answer | null;
}

/** Repeated checks of a site. */
export interface VerifiedChecks {
  readonly hostname: string;
  /** Such as `https://www.example.com`. */
  readonly origin: string;
  /** One for each check, in the order of the registry. */
  readonly findings: readonly Finding[];
  /** ISO 8601, UTC. */
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
  /** Calls the listener, which must not throw, with each step. @returns a function that stops that */
  follow(listener: (progress: ScanProgress) => void): () => void;
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

/** A running scan of this process, with those who follow it. */
export class RunningScan implements FreeScanTicket {
  readonly isFresh = true;
  readonly done: Promise<FreeScan>;
  progress: ScanProgress = NO_PROGRESS;
  readonly #listeners = new Set<(progress: ScanProgress) => void>();

  /** @param work begins at once */
  constructor(
    readonly hostname: string,
    work: (onProgress: (progress: ScanProgress) => void) => Promise<FreeScan>,
  ) {
    this.done = work((progress) => {
      this.progress = progress;
      for (const listener of this.#listeners) listener(progress);
    });
    // Prevents an unhandled rejection.
    this.done.catch(() => undefined);
  }

  follow(listener: (progress: ScanProgress) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
