import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database } from '../../store/database.js';
import { readEvidence } from '../evidence/evidence.js';
import { sitesToExport } from '../sites/site-export.js';
import { BODY_LINKS, type LinkedRow, SUPPLEMENT_LINKS } from './chain-statements.js';
import { formatLabel, labelOfRow } from './run-label.js';
import { RunTexts } from './run-texts.js';

/** About half a megabyte. */
const RUNS_A_PAGE = 50;

/**
 * The stored answers stand in their lines byte for byte: they are JSON, and have no line break. Alongside each are its release, its label, the
 * pages that it read, its notes, its gains, the evidence behind its findings and its links: docs/run-chain.md.
 */
export async function* runLines(db: Database, accountId: string): AsyncGenerator<string, void> {
  const texts = new RunTexts(db);
  for await (const { id, run_counter } of sitesToExport(db, accountId)) yield* linesOfSite(db, texts, id, run_counter);
}

async function* linesOfSite(
  db: Database,
  texts: RunTexts,
  id: string,
  run_counter: number,
): AsyncGenerator<string, void> {
  for (let after = 0; after < run_counter; after += RUNS_A_PAGE) {
    const range = { site_id: id, after, upto: Math.min(after + RUNS_A_PAGE, run_counter), limit: RUNS_A_PAGE };
    const supplements = await db.run(SUPPLEMENT_LINKS.selectLinked(range));
    const byNumber = new Map(supplements.map((supplement) => [supplement.number, supplement]));
    for (const run of await db.run(BODY_LINKS.selectLinked(range))) {
      const supplement = byNumber.get(run.number);
      const evidence = [];
      for await (const kept of readEvidence(db, id, run.number)) evidence.push(kept);
      const supplements = `"notes":${supplement?.notes ?? '[]'},"gains":${supplement?.gains ?? '[]'}`;
      const links = `"chain":${formatLink(run)},"supplementChain":${formatLink(supplement)}`;
      const release = JSON.stringify(supplement?.release ?? null);
      const label = supplement ? formatLabel(labelOfRow(supplement)) : null;
      const response = (await texts.unpack(run.body)).toString('utf8');
      const pages = supplement?.pages ?? null;
      yield `{"type":"run","response":${response},"release":${release},"label":${label},"pages":${pages},${supplements},"evidence":${JSON.stringify(evidence)},${links}}\n`;
    }
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await letOthersRun();
  }
}

function formatLink({ digest = null, epoch_id: epoch = null }: Partial<LinkedRow> = {}): string {
  return JSON.stringify(digest === null ? null : { epoch, digest });
}
