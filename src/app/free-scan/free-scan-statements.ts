import { laterThan } from '../../platform/clock.js';
import { SLOT_WAIT_MS } from '../../platform/slots.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

/** The free scan of one host: a running one, or the last result. */
export interface FreeScanRow {
  readonly started_at: string;
  /** Null, like the body, while it runs. */
  readonly finished_at: string | null;
  /** The result as JSON text in UTF-8. */
  readonly body: Uint8Array | null;
  /** The digest of who asked for it first. */
  readonly asked_by: string | null;
}

export const selectFreeScan = defineQuery<FreeScanRow, { hostname: string }>((sql, { hostname }) =>
  sql('free_scans').select('started_at', 'finished_at', 'body', 'asked_by').where({ hostname }),
);

/**
 * Takes the host for a scan that begins now: a row when there was none, or when the one that was there has had its time. One
 * conditional statement, so that of all processes that ask at the same time one gets it.
 */
export const claimFreeScan = defineQuery<
  { started_at: string },
  { hostname: string; started_at: string; asked_by: string; finished_before: string; started_before: string }
>(
  (sql, { hostname, started_at, asked_by, finished_before, started_before }) =>
    sql('free_scans')
      .insert({ hostname, started_at, asked_by })
      .onConflict('hostname')
      .merge({ started_at, asked_by, finished_at: sql.raw('NULL'), body: sql.raw('NULL') })
      .where('free_scans.finished_at', '<=', finished_before)
      .orWhere((abandoned) =>
        abandoned.whereNull('free_scans.finished_at').where('free_scans.started_at', '<=', started_before),
      )
      .returning('started_at'),
  { durability: 'process' },
);

/** Keeps the result of the scan that began then. */
export const finishFreeScan = defineQuery<
  never,
  { hostname: string; started_at: string; finished_at: string; body: Uint8Array }
>(
  (sql, { hostname, started_at, finished_at, body }) =>
    sql('free_scans').where({ hostname, started_at }).update({ finished_at, body }),
  { durability: 'process' },
);

/** Lets go of the host, as if the scan that began then had never begun. */
export const releaseFreeScan = defineQuery<never, { hostname: string; started_at: string }>(
  (sql, { hostname, started_at }) =>
    sql('free_scans').where({ hostname, started_at }).whereNull('finished_at').delete(),
  { durability: 'process' },
);

/** How long a result is kept, and its host not scanned again. */
export const FREE_SCAN_KEPT_MS = 3_600_000;
/** After what time a result that says nothing is made again for everyone, and any other for the one who asked for it. */
export const FREE_SCAN_REPEATED_MS = 60_000;
/** How long a scan waits for others at an address whose pace holds them back. */
export const HELD_BACK_WAIT_MS = 60_000;
/** For what is done between the waits, and to store the result. */
const SPARE_MS = 45_000;
/** Longer than a scan and all its waiting take: the process that claimed the host is gone. It waits for two kinds of slots. */
export const ABANDONED_MS =
  HELD_BACK_WAIT_MS + 2 * SLOT_WAIT_MS + SCAN_LIMITS.runMs + SCAN_LIMITS.holdMs + SCAN_LIMITS.paceMs + SPARE_MS;

/** Before when a result is out of date, and a running scan abandoned. */
export function oldTimesOf(now: Date, keptMs = FREE_SCAN_KEPT_MS) {
  return {
    finished_before: laterThan(now, -keptMs),
    started_before: laterThan(now, -ABANDONED_MS),
  };
}

/** Results that are out of date, and the scans of processes that were killed. */
export const cleanUpFreeScans = defineCleanup<{ finished_before: string; started_before: string }>(
  'free_scans',
  ['hostname'],
  (rows, { finished_before, started_before }) =>
    rows
      .where('finished_at', '<=', finished_before)
      .orWhere((abandoned) => abandoned.whereNull('finished_at').where('started_at', '<=', started_before)),
  oldTimesOf,
);
