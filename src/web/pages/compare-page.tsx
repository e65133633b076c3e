import type { JSX } from 'preact';
import { failingOtherwise } from '../../scanner/report/comparison.js';
import { queriesOf, queryOf, type RouteContext } from '../server/context.js';
import type { FieldErrors } from '../server/form.js';
import { listWords } from '../html/format.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { evidenceOfRun } from '../../app/evidence/evidence.js';
import type { RunPair } from '../../app/runs/history.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { hasChange } from '../../app/runs/history-page.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite, parseNumber } from '../server/requested-site.js';
import { SiteMast } from './site-mast.js';
import { CHOICES_MAX, CompareForm } from './compare-form.js';
import { Differences, type NearestChange } from './differences.js';
import { RunTable } from './run-table.js';
import { newsOf } from './changes.js';

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, deps) => {
  router.get('/sites/:siteId/compare', async (ctx) => {
    const site = await loadOwnSite(ctx, deps);
    deps.sendPage(ctx, await comparePage(deps, site, askedOf(ctx, site)));
  });
};

/** The runs as they were chosen or typed. */
interface Asked {
  readonly from: string;
  readonly to: string;
  /** Null where they can be compared; empty where they are yet to be chosen. */
  readonly errors: FieldErrors | null;
}

/** Two runs are given by the form of this page, or by two boxes of the table of runs: then the earlier comes first. */
function askedOf(ctx: RouteContext, { latestNumber }: OwnSite): Asked {
  const picked = queriesOf(ctx, 'run').sort((one, other) => Number(one) - Number(other));
  const [from, to] = picked.length > 1 ? [picked.at(0), picked.at(-1)] : [queryOf(ctx, 'from'), picked.at(0)];
  const asked = { from: from?.trim() ?? '', to: (to ?? queryOf(ctx, 'to')).trim() };
  // The list of runs leads here with none picked, too: then the form says all there is to say.
  const isChoosing = ctx.querystring === '' && latestNumber > 1;
  return { ...asked, errors: isChoosing ? {} : describeWrong(asked, picked.length, latestNumber) };
}

function describeWrong(
  { from, to }: Pick<Asked, 'from' | 'to'>,
  pickedCount: number,
  latestNumber: number,
): FieldErrors | null {
  if (latestNumber < 2) return { '': 'There are no two runs of this site yet, so there is nothing to compare.' };
  if (pickedCount > 2) return { from: `You picked ${pickedCount} runs. Two can be compared: choose them here.` };
  if (pickedCount === 1) return { from: `You picked run ${to} alone. Choose the run to compare it with.` };
  if (from === '' && to === '') return { from: 'You picked no run. Choose two to compare.' };
  const isThere = (typed: string): boolean => (parseNumber(typed) ?? Infinity) <= latestNumber;
  const range = (typed: string): string =>
    `There is no run ${typed.slice(0, 10) || 'chosen'}: runs 1 to ${latestNumber} exist.`;
  if (!isThere(from) || !isThere(to)) {
    return { ...(!isThere(from) && { from: range(from) }), ...(!isThere(to) && { to: range(to) }) };
  }
  return from === to ? { from: `Run ${to} cannot be compared with itself. Choose another run.` } : null;
}

const STYLES = ['compare.css'];

async function comparePage(deps: PartDeps, site: OwnSite, asked: Asked): Promise<Page> {
  const { history, db, clock } = deps;
  const { id: siteId, hostname, latestNumber } = site;
  const { from, to, errors } = asked;
  const runs = await history.summaries(site, CHOICES_MAX);
  const mastOf = (title: string, above: JSX.Element | null = null): JSX.Element => (
    <SiteMast
      site={site}
      title={title}
      at={addressOf.runs(siteId)}
      below={{ crumbs: [[addressOf.runs(siteId), 'Runs']], here: 'Compare' }}
    >
      {above}
      <CompareForm {...{ siteId, from, to, latestNumber, runs, errors }} />
    </SiteMast>
  );
  if (errors) {
    const isWrong = Object.keys(errors).length > 0;
    return {
      title: isWrong ? `Error: Compare runs, ${hostname}` : `Compare runs, ${hostname}`,
      status: isWrong ? 422 : 200,
      styles: STYLES,
      mast: mastOf('Compare two runs'),
      main: (
        <div class="w">{errors[''] === undefined ? await latestRuns(deps, site) : <p class="sec">{errors['']}</p>}</div>
      ),
    };
  }
  const pair = await history.compare(site, { from: Number(from), to: Number(to) });
  const title = `Run ${from} compared with run ${to}, ${hostname}`;
  if (pair === null) {
    const why = <NoScore {...{ siteId, runs, from, to }} />;
    const main = <div class="w">{await latestRuns(deps, site)}</div>;
    return { title, styles: STYLES, mast: mastOf('Nothing to compare', why), main };
  }
  const [before, now] = await Promise.all([
    evidenceOfRun(db, site, pair.from.number),
    evidenceOfRun(db, site, pair.to.number),
  ]);
  const nearest = isUnchanged(pair) ? await nearestChange(deps, site, pair.to.number) : undefined;
  return {
    title,
    styles: STYLES,
    mast: mastOf(describeOutcome(pair)),
    main: (
      <Differences {...{ siteId, pair, nearest, evidence: { before, now } }} asked={Number(from)} now={clock.now()} />
    ),
  };
}

/** The run nearest to this one that changed something, and the one that it is compared with; null where none did. */
async function nearestChange({ history }: PartDeps, site: OwnSite, number: number): Promise<NearestChange | null> {
  const { charted } = await history.page(site, { filter: 'changed' });
  const changed = charted.filter(hasChange);
  const near = changed.findLast((line) => line.number <= number) ?? changed[0];
  const before = charted.findLast((line) => line.score !== null && line.number < (near?.number ?? 0));
  return near && before ? { from: before.number, to: near.number } : null;
}

/** `2 new failures, none fixed`. */
function describeOutcome(pair: RunPair): string {
  const { comparison } = pair;
  const { newFailures, fixed } = comparison;
  const [first, ...others] = newsOf(comparison);
  const isNoneFixed = newFailures.length > 0 && fixed.length === 0;
  if (first !== undefined) return [first, ...(isNoneFixed ? ['none fixed'] : []), ...others].join(', ');
  return isUnchanged(pair) ? 'Nothing has changed' : 'Nothing broke, nothing was fixed';
}

function isUnchanged({ from, to, comparison }: RunPair): boolean {
  const { newFailures, fixed, nowJudged, changed, notComparable } = comparison;
  const others = [newFailures, fixed, nowJudged, changed, notComparable, failingOtherwise(comparison)];
  return from.score === to.score && others.every(({ length }) => length === 0);
}

/** How many runs are shown where two are still to be chosen. */
const SHOWN_RUNS = 10;

/** The latest runs, to see which of them are worth comparing: they are chosen above. */
async function latestRuns({ history, clock }: PartDeps, site: OwnSite): Promise<JSX.Element> {
  const { lines } = await history.page(site, { filter: 'all' });
  return (
    <section aria-labelledby="latest">
      <div class="row apart bar">
        <h2 id="latest">Latest runs</h2>
        <a href={addressOf.runs(site.id)}>All runs</a>
      </div>
      <RunTable siteId={site.id} lines={lines.slice(0, SHOWN_RUNS)} now={clock.now()} />
    </section>
  );
}

interface NoScoreProps extends Pick<Asked, 'from' | 'to'> {
  readonly siteId: string;
  readonly runs: readonly RunSummary[];
}

/** A run without a score found out nothing about the site. */
function NoScore({ siteId, from, to, runs }: NoScoreProps): JSX.Element {
  const score = runs.find(({ number }) => String(number) === to)?.score ?? null;
  const without = score === null ? `Run ${to} has no score` : `Run ${from} has no score, and no run before it has one`;
  const instead = insteadOf(runs, Number(to));
  return (
    <div class="note is-u row apart">
      <p>
        <b>{without}.</b> It could not judge the site, so there is nothing to compare.
      </p>
      {instead && (
        <a class="btn" href={addressOf.comparison(siteId, ...instead)}>
          Compare runs {listWords(instead.map(String))}
        </a>
      )}
    </div>
  );
}

/** The runs with a score on either side of this one; where there are none, the latest two. @param runs the newest first */
function insteadOf(runs: readonly RunSummary[], to: number): readonly [number, number] | null {
  const scored = runs.flatMap(({ number, score }) => (score === null ? [] : [number]));
  const around = [scored.find((number) => number < to), scored.findLast((number) => number > to)];
  const [from, until] = around.includes(undefined) ? [scored[1], scored[0]] : around;
  return from === undefined || until === undefined ? null : [from, until];
}
