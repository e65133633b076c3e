import { entityTagOf } from '../../src/platform/http/conditional.js';
import type { RawConnection } from './raw-connection.js';

const AT = '2026-03-15T12:00:00.000Z';

/** Stores the next run of the site as version 0.2.0 does: without links, and without what later versions keep alongside it. */
export async function storeAsBefore(raw: RawConnection, siteId: string, number: number): Promise<void> {
  const run = { number, reference: 'CR-000001', score: null, trigger: 'API', startedAt: AT, finishedAt: AT };
  const body = Buffer.from(JSON.stringify({ site: { id: siteId, hostname: 'a.example' }, run, findings: [] }));
  const { startedAt: started_at, finishedAt: finished_at, ...row } = run;
  await raw.exec(`UPDATE sites SET run_counter = run_counter + 1 WHERE id = '${siteId}'`);
  const columns = { ...row, site_id: siteId, started_at, finished_at, results: '[]', body, etag: entityTagOf(body) };
  await raw.insert('runs', columns);
}
