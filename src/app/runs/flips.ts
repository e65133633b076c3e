import { haveOtherPages } from '../../scanner/report/comparison.js';
import { afterCommit, all, type Transaction } from '../../store/transaction.js';
import type { RunResponse } from './run.js';
import { unpackPages } from './run-pages.js';
import { type CheckResult, parseResults, type RunResults } from './run-results.js';
import { type JudgedRunRow, selectJudgedRuns } from './run-statements.js';

/** A check that passes and failed before, or the other way round. */
export interface Flip {
  readonly checkId: string;
  readonly to: 'PASS' | 'FAIL';
}

const WINDOW_MS = 24 * 3_600_000;
/** How many runs before are looked at. */
const RUNS_MAX = 5;

/**
 * Tells how the verdicts of a run differ from those of the day before, where nobody has deployed anything in between that we know of, the
 * site or us, or has chosen other pages. An owner who fixes a page makes a flip, too; many to FAIL are a check that cannot make up its mind.
 */
export function createFlipWatch(
  onFlips: (flips: readonly Flip[]) => void,
): (
  run: Pick<RunResults, 'pages'> & { readonly response: RunResponse; readonly release: string | null },
) => Transaction<void> {
  return function* ({ response: { site, run, findings }, release, pages }) {
    if (run.trigger === 'POST_DEPLOY' || run.finishedAt === null) return;
    const since = new Date(Date.parse(run.finishedAt) - WINDOW_MS).toISOString();
    const rows = yield* all(
      selectJudgedRuns({ site_id: site.id, first: run.number - RUNS_MAX, last: run.number - 1, since }),
    );
    const flips = flipsOf(comparable(rows, release, pages), findings);
    if (flips.length > 0) yield* afterCommit(() => onFlips(flips));
  };
}

/** The runs back to the last deploy, of this release and of the same chosen pages; the deploy's own run is after it. */
function comparable(
  newestFirst: readonly JudgedRunRow[],
  release: string | null,
  pages: RunResults['pages'],
): readonly JudgedRunRow[] {
  const other = newestFirst.findIndex(
    (row) => row.release !== release || haveOtherPages(pages, unpackPages(row.pages)),
  );
  const known = other === -1 ? newestFirst : newestFirst.slice(0, other);
  const deploy = known.findIndex(({ trigger }) => trigger === 'POST_DEPLOY');
  return deploy === -1 ? known : known.slice(0, deploy + 1);
}

function flipsOf(newestFirst: readonly JudgedRunRow[], findings: readonly CheckResult[]): Flip[] {
  const before = newestFirst.map(
    ({ results }) => new Map(parseResults(results).map((one) => [one.checkId, one.result])),
  );
  return findings.flatMap(({ checkId, result }) => {
    if (result !== 'PASS' && result !== 'FAIL') return [];
    const was = before.map((run) => run.get(checkId)).find((one) => one !== undefined && one !== 'UNDETERMINED');
    return was === (result === 'PASS' ? 'FAIL' : 'PASS') ? [{ checkId, to: result }] : [];
  });
}
