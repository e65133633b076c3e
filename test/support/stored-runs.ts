import { RunTexts } from '../../src/app/runs/run-texts.js';
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
  const texts = new RunTexts(db);
  const rows = await db.run(selectRuns({}));
  return Promise.all(rows.map(async ({ body, ...run }) => ({ ...run, text: (await texts.unpack(body)).toString() })));
}
