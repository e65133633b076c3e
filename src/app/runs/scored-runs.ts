import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { Database } from '../../store/database.js';
import { unpackPages } from './run-pages.js';
import { type CheckResult, parseResults } from './run-results.js';
import { selectScoredRuns } from './scored-runs-statements.js';

/** A run with a score as it is compared. */
export interface ScoredRun {
  readonly run: { readonly number: number; readonly score: number };
  readonly findings: readonly CheckResult[];
  readonly pages: SampledPages | null;
}

/** From one number of a site to another, both included. */
export interface RunRange {
  readonly siteId: string;
  readonly first: number;
  readonly last: number;
}

/** By site id, the runs with a score among some, the newest first. A site may be asked about several times. */
export async function readScoredRuns(
  db: Database,
  ranges: readonly RunRange[],
): Promise<ReadonlyMap<string, readonly ScoredRun[]>> {
  if (ranges.length === 0) return new Map();
  const sites = ranges.map(({ siteId, first, last }) => ({ site_id: siteId, first, last }));
  const rows = await db.run(selectScoredRuns({ sites: JSON.stringify(sites) }));
  const runs = new Map<string, ScoredRun[]>();
  for (const { site_id, number, score, results, pages } of rows) {
    const run = { run: { number, score }, findings: parseResults(results), pages: unpackPages(pages) };
    const others = runs.get(site_id);
    if (others) others.push(run);
    else runs.set(site_id, [run]);
  }
  return runs;
}
