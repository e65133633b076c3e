import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import { type Database, runOne } from '../../store/database.js';
import { retryBusy } from '../../store/retry.js';
import {
  claimFreeScan,
  cleanUpFreeScans,
  finishFreeScan,
  FREE_SCAN_KEPT_MS,
  FREE_SCAN_REPEATED_MS,
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

/** Who asks for the scan of a host. */
export interface Asked {
  readonly hostname: string;
  /** Whom the client's address stands for; null: the caller is content with a result of the last hour. */
  readonly asker: string | null;
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

  /** Whether the result of this host, a minute old, gives way to a new one: it says nothing, or this asker had asked for it first. */
  async isSpent({ hostname, asker }: Asked): Promise<boolean> {
    const row = await runOne(this.deps.db, selectFreeScan({ hostname }));
    const { finished_before } = oldTimesOf(this.deps.clock.now(), FREE_SCAN_REPEATED_MS);
    if (!row?.body || row.finished_at === null || row.finished_at > finished_before) return false;
    if (asker !== null && row.asked_by === digestOf(asker, hostname)) return true;
    return (JSON.parse(Buffer.from(row.body).toString()) as FreeScan).score === null;
  }

  /** Takes the host for a scan that begins now; null when there is a result that is not spent, or a process is scanning it. */
  async claim(asked: Asked & { readonly asker: string }): Promise<Claim | null> {
    await this.#deleteOld();
    const { hostname, asker } = asked;
    const keptMs = (await this.isSpent(asked)) ? FREE_SCAN_REPEATED_MS : FREE_SCAN_KEPT_MS;
    const now = this.deps.clock.now();
    const claim = { hostname, started_at: now.toISOString() };
    const asked_by = digestOf(asker, hostname);
    return (await runOne(this.deps.db, claimFreeScan({ ...claim, asked_by, ...oldTimesOf(now, keptMs) })))
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

/** With the host, so that it does not tell which scans one address asked for. */
function digestOf(asker: string, hostname: string): string {
  return createHash('sha256').update(`${asker} ${hostname}`).digest('hex');
}
