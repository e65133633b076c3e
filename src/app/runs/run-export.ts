import type { Database } from '../../store/database.js';
import { readPages } from '../../store/pages.js';
import { defineQuery } from '../../store/query.js';
import { readEvidence } from '../evidence/evidence.js';
import { sitesToExport } from '../sites/site-export.js';
import { labelFromRow, type RunRow } from './run-rows.js';
import { unpackAnswer, unpackRun } from './run-bodies.js';

/** About half a megabyte. */
const EXPORTED_AT_ONCE = 50;

type ExportedRow = Pick<RunRow, 'number' | 'release' | 'pages' | 'answer' | 'label' | 'commit_id' | 'body'>;

/** Selects the next runs of a site, oldest first. */
const selectRunsToExport = defineQuery<ExportedRow, { site_id: string; after: number }>((sql, { site_id, after }) =>
  sql('runs')
    .select('number', 'release', 'pages', 'answer', 'label', 'commit_id', 'body')
    .where({ site_id })
    .where('number', '>', after)
    .orderBy('number')
    .limit(EXPORTED_AT_ONCE),
);

/** Yields a line of JSON for each run of the account, with the stored response byte for byte. */
export async function* runLines(db: Database, accountId: string): AsyncGenerator<string, void> {
  for await (const { id } of sitesToExport(db, accountId)) {
    const runs = readPages((last?: ExportedRow) =>
      db.run(selectRunsToExport({ site_id: id, after: last?.number ?? 0 })),
    );
    for await (const run of runs) yield await exportRun(db, id, run);
  }
}

async function exportRun(db: Database, siteId: string, run: ExportedRow): Promise<string> {
  const evidence = await readEvidence(db, siteId, run.number);
  const { body, advice } = unpackRun(run.body);
  const fields = [
    `"response":${body.toString('utf8')}`,
    `"release":${JSON.stringify(run.release)}`,
    `"label":${JSON.stringify(labelFromRow(run))}`,
    `"pages":${run.pages}`,
    `"answer":${JSON.stringify(unpackAnswer(run.answer))}`,
    `"notes":${JSON.stringify(advice.notes)}`,
    `"movedTo":${JSON.stringify(advice.movedTo)}`,
    `"gains":${JSON.stringify(advice.gains)}`,
    `"evidence":${JSON.stringify(evidence)}`,
  ];
  return `{"type":"run",${fields.join(',')}}\n`;
}
