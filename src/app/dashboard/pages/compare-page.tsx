import type { JSX } from 'preact';
import { queriesOf, queryOf, type RouteContext } from '../../../web/kit/context.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part, PartDeps } from '../../part.js';
import type { RunPair } from '../../runs/history.js';
import type { RunSummary } from '../../runs/run-lines.js';
import type { OwnSite } from '../../sites/own-site.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, parseNumber } from '../../sites/pages/asked-site.js';
import { SiteMast } from '../../sites/pages/site-mast.js';
import { CHOICES_MAX, CompareForm } from './compare-form.js';
import { Differences } from './differences.js';
import { Two } from '../../../web/kit/components/two.js';
import { newsOf } from './changes.js';
import { Callout } from '../../../web/kit/components/text.js';

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, deps) => {
  router.get('/sites/:siteId/compare', async (ctx) => {
    const site = await ownSite(ctx, deps);
    deps.sendPage(ctx, await comparePage(deps, site, askedOf(ctx, site)));
  });
};

/** The runs as they were chosen or typed. */
interface Asked {
  readonly from: string;
  readonly to: string;
  readonly errors: FieldErrors | null;
}

/** Two runs are given by the form of this page, or by two boxes of the sheet: then the earlier comes first. */
function askedOf(ctx: RouteContext, { latestNumber }: OwnSite): Asked {
  const picked = queriesOf(ctx, 'run').sort((one, other) => Number(one) - Number(other));
  const [from, to] = picked.length > 1 ? [picked.at(0), picked.at(-1)] : [queryOf(ctx, 'from'), picked.at(0)];
  const asked = { from: from?.trim() ?? '', to: (to ?? queryOf(ctx, 'to')).trim() };
  return { ...asked, errors: describeWrong(asked, picked.length, latestNumber) };
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

async function comparePage(deps: PartDeps, site: OwnSite, asked: Asked): Promise<Page> {
  const { history, evidence, clock } = deps;
  const { id: siteId, hostname, latestNumber } = site;
  const { from, to, errors } = asked;
  const runs = await history.summaries(site, CHOICES_MAX);
  const form = <CompareForm {...{ siteId, from, to, latestNumber, runs, errors }} />;
  const mastOf = (title: string): JSX.Element => (
    <SiteMast
      site={site}
      title={title}
      at={addressOf.runs(siteId)}
      below={{ crumbs: [[addressOf.runs(siteId), 'Runs']], here: 'Compare' }}
    >
      {form}
    </SiteMast>
  );
  if (errors) {
    return {
      title: `Error: Compare runs, ${hostname}`,
      status: 422,
      mast: mastOf('Compare two runs'),
      main: (
        <Two>
          {errors[''] !== undefined && <Callout>{errors['']}</Callout>}
          <Offer siteId={siteId} runs={runs} />
        </Two>
      ),
    };
  }
  const pair = await history.compare(site, { from: Number(from), to: Number(to) });
  const title = `Run ${from} compared with run ${to}, ${hostname}`;
  if (pair === null) {
    return { title, mast: mastOf('Nothing to compare'), main: <NoScore runs={runs} {...{ siteId, from, to }} /> };
  }
  const [before, now] = await Promise.all([
    evidence.ofRun(site, pair.from.number),
    evidence.ofRun(site, pair.to.number),
  ]);
  return {
    title,
    styles: ['compare.css'],
    mast: mastOf(describeOutcome(pair)),
    main: <Differences {...{ siteId, pair, runs, evidence: { before, now } }} asked={Number(from)} now={clock.now()} />,
  };
}

/** `2 new failures, none fixed`. */
function describeOutcome({ from, to, comparison }: RunPair): string {
  const { newFailures, fixed, changed, notComparable } = comparison;
  const [first, ...others] = newsOf(comparison);
  const isNoneFixed = newFailures.length > 0 && fixed.length === 0;
  if (first !== undefined) return [first, ...(isNoneFixed ? ['none fixed'] : []), ...others].join(', ');
  const isAlike = from.score === to.score && changed.length + notComparable.length === 0;
  return isAlike ? 'Nothing has changed' : 'Nothing broke, nothing was fixed';
}

/** Two runs that can be compared: the latest with a score. */
function Offer({ siteId, runs }: Pick<NoScoreProps, 'siteId' | 'runs'>): JSX.Element {
  const [to, from] = runs.filter(({ score }) => score !== null);
  return (
    <p class="row">
      {from && to && (
        <a class="btn" href={addressOf.comparison(siteId, from.number, to.number)}>
          Compare run {from.number} with run {to.number}
        </a>
      )}
      <a class="btn quiet" href={addressOf.runs(siteId)}>
        All runs
      </a>
    </p>
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
  return (
    <Two>
      <Callout result="UNDETERMINED">
        <b>{without}.</b> It could not judge the site, so there is nothing to compare.
      </Callout>
      <Offer siteId={siteId} runs={runs} />
    </Two>
  );
}
