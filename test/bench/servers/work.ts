import { createHash } from 'node:crypto';
import { chargeKey } from '../../../src/app/keys/charge.js';
import { unpackBody } from '../../../src/app/runs/run-bodies.js';
import { findRuns } from '../../../src/app/runs/run-reads.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { joinQueries } from '../../../src/store/query.js';

const QUOTA = 1_000_000_000;
const QUOTAS = { FREE: 0, MONITOR: QUOTA, SCALE: QUOTA };
const MONTH = new Date().toISOString().slice(0, 7);

export interface FoundBody {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly remaining: number;
}

/** The work behind a read by the product's own statements: key, plan, quota and the run, on PostgreSQL by one statement. */
export async function openWork(url: string) {
  const db = await openDatabase(url);
  return async (authorization: string | undefined, siteId: string, number: number): Promise<FoundBody | null> => {
    const digest = createHash('sha256')
      .update((authorization ?? '').slice('Bearer '.length))
      .digest('hex');
    const charge = chargeKey({ digest, month: MONTH, now: `${MONTH}-01`, ...QUOTAS, count: 1 });
    const find = findRuns({ runs: JSON.stringify([{ request_index: 0, site_id: siteId, number, etag: '' }]) });
    const isOne = db.dialect === 'postgres';
    const row = isOne
      ? await db.one(joinQueries(charge, find))
      : { ...(await db.one(charge)), ...(await db.one(find)) };
    if (!row?.used || row.owner_id !== row.account_id || !row.body || !row.etag) return null;
    return { body: unpackBody(row.body), etag: row.etag, remaining: QUOTA - row.used };
  };
}
