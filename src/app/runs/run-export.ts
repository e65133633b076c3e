import type { Database } from '../../store/database.js';
import { readPages } from '../../store/batches.js';
import { defineQuery } from '../../store/query.js';
import { readEvidence } from '../evidence/evidence.js';
import { sitesToExport } from '../sites/site.js';
import { unpackAnswer, unpackRun } from './run-bodies.js';
import { labelFromRow, type RunRow } from './run-rows.js';

/** About half a megabyte. */
const EXPORTED_AT_ONCE = 50;

const selectRunsToExport = defineQuery<RunRow, { site_id: string; after: number }>((sql, { site_id, after }) =>
  sql('runs').where({ site_id }).where('number', '>', after).orderBy('number').limit(EXPORTED_AT_ONCE),
);

/** Yields a line of JSON for each run of the account, with the stored response byte for byte. */
export async function* runLines(db: Database, accountId: string): AsyncGenerator<string, void> {
  for await (const { id: site_id } of sitesToExport(db, accountId)) {
    const runs = readPages<RunRow>((last) => db.run(selectRunsToExport({ site_id, after: last?.number ?? 0 })));
    for await (const run of runs) {
      const { body, advice } = unpackRun(run.body);
      const { notes, movedTo, gains } = advice;
      const { release, pages } = run;
      const more = JSON.stringify({
        release,
        label: labelFromRow(run),
        pages: pages === null ? null : (JSON.parse(pages) as unknown),
        answer: unpackAnswer(run.answer),
        notes,
        movedTo,
        gains,
        evidence: await readEvidence(db, site_id, run.number),
      });
      yield `{"type":"run","response":${body.toString('utf8')},${more.slice(1)}\n`;
    }
  }
}
