import { unpackBody, unpackRun } from '../../src/app/runs/run-bodies.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery, type Row } from '../../src/store/query.js';

const selectRuns = defineQuery<Pick<Row<'runs'>, 'site_id' | 'number' | 'trigger' | 'body' | 'etag'>>((sql) =>
  sql('runs').select('site_id', 'number', 'trigger', 'body', 'etag').orderBy(['site_id', 'number']),
);

/** Returns every run of the database, by site and number, with its response as text. */
export async function readStoredRuns(db: Database) {
  const rows = await db.run(selectRuns({}));
  return rows.map(({ body, ...run }) => ({ ...run, text: unpackBody(body).toString() }));
}

/** Returns a stored body and its advice as text. Compressed bytes may look like a token. */
export function textOfStored(stored: Uint8Array): string {
  try {
    const { body, advice } = unpackRun(stored);
    return body.toString() + JSON.stringify(advice);
  } catch {
    // A test has stored something else.
    return Buffer.from(stored).toString();
  }
}
