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
import { RunPicker } from './runs-main.js';
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

const STYLES = ['compare.css'];

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
      styles: STYLES,
      mast: mastOf('Compare two runs'),
      main: <div class="w">{errors[''] === undefined ? await offer(deps, site) : <p class="sec">{errors['']}</p>}</div>,
    };
  }
  const pair = await history.compare(site, { from: Number(from), to: Number(to) });
  const title = `Run ${from} compared with run ${to}, ${hostname}`;
  if (pair === null) {
    const main = (
      <div class="w over-text">
        <NoScore {...{ runs, from, to }} />
        {await offer(deps, site)}
      </div>
    );
    return { title, styles: STYLES, mast: mastOf('Nothing to compare'), main };
  }
  const [before, now] = await Promise.all([
    evidence.ofRun(site, pair.from.number),
    evidence.ofRun(site, pair.to.number),
  ]);
  return {
    title,
    styles: STYLES,
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

/** How many runs are offered where two are still to be picked. */
const OFFERED_RUNS = 10;

/** The latest runs, to pick two of them. */
async function offer({ history, clock }: PartDeps, site: OwnSite): Promise<JSX.Element> {
  const { lines } = await history.sheet(site, { filter: 'all' });
  return (
    <RunPicker
      site={site}
      lines={lines.slice(0, OFFERED_RUNS)}
      now={clock.now()}
      title={<h2>Pick two runs</h2>}
      end={<a href={addressOf.runs(site.id)}>All runs</a>}
    />
  );
}

interface NoScoreProps extends Pick<Asked, 'from' | 'to'> {
  readonly runs: readonly RunSummary[];
}

/** A run without a score found out nothing about the site. */
function NoScore({ from, to, runs }: NoScoreProps): JSX.Element {
  const score = runs.find(({ number }) => String(number) === to)?.score ?? null;
  const without = score === null ? `Run ${to} has no score` : `Run ${from} has no score, and no run before it has one`;
  return (
    <Callout result="UNDETERMINED">
      <b>{without}.</b> It could not judge the site, so there is nothing to compare.
    </Callout>
  );
}
