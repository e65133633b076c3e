import type { Clock } from '../../platform/clock.js';
import { type Database, runOne } from '../../store/database.js';
import { retryBusy } from '../../store/retry.js';
import {
  claimFreeScan,
  cleanUpFreeScans,
  finishFreeScan,
  FREE_SCAN_KEPT_MS,
  oldTimesOf,
  releaseFreeScan,
  selectFreeScan,
} from './free-scan-statements.js';
import type { FreeScan } from './free-scan.js';
import type { Refunds } from '../limits/refunds.js';
import type { StartTimer } from '../../platform/timer.js';

/** A host that was taken for one scan. */
export interface Claim {
  readonly hostname: string;
  readonly started_at: string;
}

export interface FreeScanCacheDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly refunds: Refunds;
  readonly startTimer: StartTimer;
}

/** The results of the last hour, and which hosts are being scanned: the same for all processes, and after a restart. */
export class FreeScanCache {
  constructor(private readonly deps: FreeScanCacheDeps) {}

  /** The cached result of this host; 'claimed' while a process scans it. */
  async look(hostname: string): Promise<FreeScan | 'claimed' | null> {
    const row = await runOne(this.deps.db, selectFreeScan({ hostname }));
    const { finished_before, started_before } = oldTimesOf(this.deps.clock.now());
    if (row?.body && row.finished_at !== null && row.finished_at > finished_before) {
      return JSON.parse(Buffer.from(row.body).toString()) as FreeScan;
    }
    return row?.finished_at === null && row.started_at > started_before ? 'claimed' : null;
  }

  /** Takes the host for a scan that begins now; null when there is a result already, or a process is scanning it. */
  async claim(hostname: string): Promise<Claim | null> {
    await this.#deleteOld();
    const claim = { hostname, started_at: this.deps.clock.now().toISOString() };
    return (await runOne(this.deps.db, claimFreeScan({ ...claim, ...oldTimesOf(this.deps.clock.now()) })))
      ? claim
      : null;
  }

  async keep(claim: Claim, scan: FreeScan): Promise<void> {
    const body = Buffer.from(JSON.stringify(scan));
    await retryBusy(() => this.deps.db.run(finishFreeScan({ ...claim, finished_at: scan.finishedAt, body })));
    this.deps.startTimer(() => void this.#deleteOld(), FREE_SCAN_KEPT_MS);
  }

  /** Lets go of the host without a result. Never rejects. */
  async release(claim: Claim): Promise<void> {
    await this.deps.refunds.make(releaseFreeScan({ ...claim }));
  }

  /** A failure costs nothing: what is old is never handed out, and the next one deletes it. */
  async #deleteOld(): Promise<void> {
    await this.deps.db.run(cleanUpFreeScans(this.deps.clock.now())).catch(() => undefined);
  }
}
