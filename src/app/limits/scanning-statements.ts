import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

export const storeScanning = defineQuery<never, { process: string; addresses: string; expires_at: string }>(
  (sql, { process, addresses, expires_at }) =>
    sql('scanning_processes').insert({ process, addresses, expires_at }).onConflict('process').merge(),
  { durability: 'process' },
);

/** What the other processes scan now. */
export const selectScanning = defineQuery<{ addresses: string }, { process: string; now: string }>(
  (sql, { process, now }) =>
    sql('scanning_processes').select('addresses').whereNot({ process }).where('expires_at', '>', now),
);

export const cleanUpScanning = defineCleanup<{ now: string }>(
  'scanning_processes',
  ['process'],
  (rows, { now }) => rows.where('expires_at', '<=', now),
  (now) => ({ now: now.toISOString() }),
);
