import { isoTimeAfter } from '../../platform/clock.js';
import { SLOT_WAIT_MS } from '../../platform/slots.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { Database } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import type { SiteAddress } from '../sites/site-input.js';

/** Result of a free scan, cached for an hour for everyone who scans the same host. */
export interface FreeScan extends Pick<ScanReport, 'score' | 'findings' | 'notes' | 'movedTo' | 'gains' | 'answer'> {
  readonly hostname: string;
  /** Such as `https://www.example.com`. */
  readonly origin: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
}

export function toFreeScan({ hostname, origin }: SiteAddress, report: ScanReport): FreeScan {
  const { score, startedAt, finishedAt, findings, notes, movedTo, gains, answer } = report;
  const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
  return { hostname, origin: origin.origin, score, ...times, findings, notes, movedTo, gains, answer };
}

/** How long a result is cached. */
export const FREE_SCAN_CACHE_MS = 3_600_000;
/** How long a failed scan is reported, so that open pages can show it. */
const FAILURE_SHOWN_MS = 60_000;
/** How long a scan waits if many free scans visit its IP address. */
export const PACED_WAIT_MS = 60_000;
/** Time for everything but the scan, such as storing the result. */
const SPARE_MS = 45_000;
/** A scan that takes longer than all its limits together counts as abandoned, because its process has died. */
export const ABANDONED_MS =
  PACED_WAIT_MS + 2 * SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.slotWaitMs + SCAN_LIMITS.paceMs + SPARE_MS;

const scans = table('free_scans');

/**
 * Stores that a scan of the host starts. Returns a row if there was no scan, or the last one has failed, expired or been abandoned. It is
 * one conditional statement, so that only one of several concurrent processes starts the scan.
 */
const insertStarted = defineQuery<
  { started_at: string },
  { hostname: string; started_at: string; finished_before: string; started_before: string }
>((sql, { hostname, started_at, finished_before, started_before }) =>
  sql('free_scans')
    .insert({ hostname, started_at })
    .onConflict('hostname')
    .merge({ started_at, finished_at: sql.raw('NULL'), body: sql.raw('NULL') })
    .where('free_scans.finished_at', '<=', finished_before)
    .orWhere((failed) => failed.whereNotNull('free_scans.finished_at').whereNull('free_scans.body'))
    .orWhere((abandoned) =>
      abandoned.whereNull('free_scans.finished_at').where('free_scans.started_at', '<=', started_before),
    )
    .returning('started_at'),
);

/** Returns the times up to which finished scans have expired, and running scans count as abandoned. */
function expiryTimes(now: Date, maxAgeMs = FREE_SCAN_CACHE_MS) {
  return { finished_before: isoTimeAfter(now, -maxAgeMs), started_before: isoTimeAfter(now, -ABANDONED_MS) };
}

/** Returns the cached result of a host, or the state of its last scan; null if there was none in the last hour. */
export async function findScan(
  db: Database,
  hostname: string,
  now: Date,
): Promise<FreeScan | 'running' | 'failed' | null> {
  const row = await db.one(scans.find({ hostname }, ['started_at', 'finished_at', 'body']));
  const { finished_before, started_before } = expiryTimes(now);
  if (!row) return null;
  const { started_at, finished_at, body } = row;
  if (finished_at === null) return started_at > started_before ? 'running' : null;
  if (body === null) return finished_at > isoTimeAfter(now, -FAILURE_SHOWN_MS) ? 'failed' : null;
  return finished_at > finished_before ? (JSON.parse(Buffer.from(body).toString()) as FreeScan) : null;
}

export type StartedScan = Pick<Row<'free_scans'>, 'hostname' | 'started_at'>;

/**
 * Stores that a scan of the host starts now.
 * @param maxAgeMs age from which a new scan replaces a result
 * @returns null if another process is scanning the host, or has just stored a result
 */
export async function startScan(
  db: Database,
  hostname: string,
  maxAgeMs: number,
  now: Date,
): Promise<StartedScan | null> {
  const started = { hostname, started_at: now.toISOString() };
  return (await db.one(insertStarted({ ...started, ...expiryTimes(now, maxAgeMs) }))) ? started : null;
}

/**
 * Stores the end of a scan, unless it counts as abandoned and another has started.
 * @param scan null if the scan failed, so that another may start at once; a result that is already stored remains
 */
export async function storeEnd(
  db: Database,
  started: StartedScan,
  finished_at: string,
  scan: FreeScan | null,
): Promise<void> {
  await db.run(scans.update({ ...started }, { finished_at, ...(scan && { body: Buffer.from(JSON.stringify(scan)) }) }));
}
