import { unpackBody, unpackRun } from '../../src/app/runs/run-bodies.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';

export interface StoredRunRow {
  readonly site_id: string;
  readonly number: number;
  readonly trigger: string;
  readonly etag: string;
  /** The answer as it is sent. */
  readonly text: string;
}

const selectRuns = defineQuery<Omit<StoredRunRow, 'text'> & { readonly body: Uint8Array }>((sql) =>
  sql('runs').select('site_id', 'number', 'trigger', 'body', 'etag').orderBy(['site_id', 'number']),
);

/** Every run of the database, by site and number. */
export async function readStoredRuns(db: Database): Promise<StoredRunRow[]> {
  const rows = await db.run(selectRuns({}));
  return rows.map(({ body, ...run }) => ({ ...run, text: unpackBody(body).toString() }));
}

/** What a stored body says, with the advice: its compressed bytes say nothing, and may look like a token. */
export function textOfStored(stored: Uint8Array): string {
  try {
    const { body, advice } = unpackRun(stored);
    return body.toString() + JSON.stringify(advice);
  } catch {
    // A test has put something else there.
    return Buffer.from(stored).toString();
  }
}
