import { readFileSync } from 'node:fs';
import type { Engine } from '../../support/databases.js';
import type { RawConnection } from '../../support/raw-connection.js';

const SITES_PER_ACCOUNT = 1000;
const LONG_AGO = '2020-01-01T00:00:00.000Z';

/**
 * Adds so many verified sites whose schedules are due, a thousand an account. The guard refuses every origin, so that a run takes no longer
 * than its statements.
 */
export async function fillDueSites(raw: RawConnection, engine: Engine, count: number): Promise<void> {
  const numbers =
    engine === 'sqlite'
      ? `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n)`
      : `(SELECT i FROM generate_series(0, ${count - 1}) AS i)`;
  const account = `'acc_' || (i / ${SITES_PER_ACCOUNT})`;
  // A network of 2^24 addresses, since there are no more than 65,535 ports.
  const host = "'10.' || (i / 65536) || '.' || (i / 256 % 256) || '.' || (i % 256)";
  await raw.exec(
    `INSERT INTO accounts (id, email, name, plan, created_at)
       SELECT DISTINCT ${account}, ${account} || '@example.com', '', 'SCALE', '${LONG_AGO}' FROM ${numbers} AS numbers`,
  );
  await raw.exec(
    `INSERT INTO sites (id, account_id, origin, hostname, verified_at, created_at)
       SELECT 'site_' || i, ${account}, 'https://' || ${host}, ${host}, '${LONG_AGO}', '${LONG_AGO}' FROM ${numbers} AS numbers`,
  );
  await raw.exec(`INSERT INTO schedules SELECT id, 'HOURLY', '${LONG_AGO}' FROM sites`);
}

/** What the process has had written to disk, in bytes; null where the kernel does not tell. PostgreSQL writes in processes of its own. */
export function writtenBytes(pid: number | undefined): number | null {
  try {
    const [, bytes] = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8')) ?? [];
    return Number(bytes);
  } catch {
    return null;
  }
}
