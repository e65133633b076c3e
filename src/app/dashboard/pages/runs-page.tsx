import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Empty, Legend } from '../../../web/kit/components/pins.js';
import { queryOf } from '../../../web/kit/context.js';
import type { Part } from '../../part.js';
import {
  CHART_RUNS_MAX,
  PAGE_RUNS,
  RUN_FILTERS,
  type RunFilter,
  type RunSheet as Sheet,
} from '../../runs/run-sheet.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { ownSite, parseNumber } from '../../sites/pages/asked-site.js';
import { SiteMast } from '../../sites/pages/site-mast.js';
import { isCharted, ScoreChart } from './chart.js';
import { RunSheet } from './run-sheet.js';
import { Callout } from '../../../web/kit/components/text.js';
import { PickItem } from '../../../web/kit/components/pick.js';

/** The history of a site by number, a page at a time. */
export const addRunsPage: Part = (router, { sites, history, siteNotes, clock, sendPage }) => {
  router.get('/sites/:siteId/runs', async (ctx) => {
    const site = await ownSite(ctx, { sites });
    const before = parseNumber(queryOf(ctx, 'before'));
    const filter = RUN_FILTERS.find((one) => one === queryOf(ctx, 'show')) ?? 'all';
    const sheet = await history.sheet(site, { filter, ...(before !== null && { before }) });
    sendPage(ctx, {
      title: `Runs, ${site.hostname}`,
      mast: (
        <SiteMast site={site} title={describeRuns(sheet)} note={siteNotes?.get(site.id)} at={addressOf.runs(site.id)} />
      ),
      main:
        site.latestNumber === 0 ? (
          <NoRuns siteId={site.id} />
        ) : (
          <Runs siteId={site.id} {...{ sheet, filter }} isLatest={before === null} now={clock.now()} />
        ),
    });
  });
};

/** What came out of them, in a few words: `14 runs, from 38 to 67, best 72`. */
export function describeRuns({ charted, counts }: Pick<Sheet, 'charted' | 'counts'>): string {
  if (counts.all === 0) return 'No run yet';
  const scores = charted.flatMap(({ score }) => (score === null ? [] : [score]));
  const [first, last] = [scores.at(0), scores.at(-1)];
  const runs = countOf(counts.all, 'run');
  if (last === undefined) return `${runs}, none with a score`;
  if (scores.length === 1) return `${runs}, ${last} of 100`;
  if (counts.all > charted.length) return `${runs}, now at ${last}`;
  if (scores.every((score) => score === first)) return `${runs}, always ${last}`;
  const best = Math.max(...scores);
  return `${runs}, from ${first} to ${last}${best > Math.max(first ?? 0, last) ? `, best ${best}` : ''}`;
}

function NoRuns({ siteId }: { readonly siteId: string }): JSX.Element {
  return (
    <div class="w sec">
      <Empty>
        <h2>Your runs will be listed here</h2>
        <p>Each with its score and with what changed, so that you see when something broke.</p>
        <p>
          <a class="btn" href={addressOf.site(siteId)}>
            Start the first run
          </a>
        </p>
      </Empty>
    </div>
  );
}

interface RunsProps {
  readonly siteId: string;
  readonly sheet: Sheet;
  readonly filter: RunFilter;
  readonly isLatest: boolean;
  readonly now: Date;
}

function Runs({ siteId, sheet, filter, isLatest, now }: RunsProps): JSX.Element {
  const { lines, charted, counts } = sheet;
  const latest = lines.filter(({ score }) => score !== null).slice(0, 2);
  const picked = isLatest && latest.length === 2 ? latest.map(({ number }) => number) : [];
  const isComparable = isCharted(charted);
  return (
    <div class="w">
      <div class="sec">
        {isComparable && <ScoreChart runs={charted} />}
        {charted.every(({ score }) => score === null) && <NoneScored siteId={siteId} latest={counts.all} />}
        {counts.all > charted.length && (
          <p class="hint">The chart and the filters look at the last {CHART_RUNS_MAX} runs.</p>
        )}
      </div>
      <form action={addressOf.compare(siteId)}>
        <div class="row apart bar">
          <Filters siteId={siteId} counts={counts} filter={filter} />
          {isComparable && (
            <button class="quiet" type="submit">
              Compare the two picked
            </button>
          )}
        </div>
        {lines.length > 0 ? (
          <RunSheet {...{ siteId, lines, now }} picked={isComparable ? picked : null} />
        ) : (
          <p>There are no such runs.</p>
        )}
        <div class="row apart more">
          <Legend />
          <Pages {...{ siteId, sheet, filter, isLatest }} />
        </div>
      </form>
    </div>
  );
}

/** What stands in the place of a chart. */
function NoneScored({ siteId, latest }: { readonly siteId: string; readonly latest: number }): JSX.Element {
  return (
    <Callout result="UNDETERMINED">
      <b>No run could judge this site.</b> <a href={addressOf.run(siteId, latest)}>See why, and what to do</a>.
    </Callout>
  );
}

const FILTER_WORDS: Readonly<Record<RunFilter, string>> = {
  all: 'All',
  changed: 'With a change',
  worse: 'Got worse',
  unscored: 'No score',
};

function Filters({
  siteId,
  counts,
  filter,
}: Pick<Sheet, 'counts'> & Pick<RunsProps, 'siteId' | 'filter'>): JSX.Element {
  const offered = RUN_FILTERS.filter((one) => counts[one] > 0 || one === filter);
  if (offered.length === 1) return <span />;
  return (
    <nav aria-label="Which runs">
      <ul class="pick">
        {offered.map((one) => (
          <PickItem
            key={one}
            href={addressOf.runs(siteId, { show: one })}
            isChosen={one === filter}
            count={counts[one]}
          >
            {FILTER_WORDS[one]}
          </PickItem>
        ))}
      </ul>
    </nav>
  );
}

function Pages({ siteId, sheet, filter, isLatest }: Omit<RunsProps, 'now'>): JSX.Element {
  const { lines, olderBefore, counts } = sheet;
  const [newest, oldest] = [lines.at(0)?.number, lines.at(-1)?.number];
  const newer = filter === 'all' && newest !== undefined ? newest + PAGE_RUNS + 1 : Infinity;
  const newerBefore = newer <= counts.all ? newer : null;
  if (isLatest && olderBefore === null && filter === 'all') {
    return <span class="small soft">{counts.all === 1 ? 'One run' : `All ${counts.all} runs`}</span>;
  }
  return (
    <nav aria-label="Pages of the history" class="row small soft">
      {newest !== undefined && (newest === oldest ? `Run ${newest}` : `Runs ${newest} to ${oldest}`)}
      {!isLatest && (
        <a class="btn quiet tight" href={addressOf.runs(siteId, { show: filter })}>
          Latest
        </a>
      )}
      {newerBefore !== null && (
        <a class="btn quiet tight" href={addressOf.runs(siteId, { before: newerBefore })}>
          Newer
        </a>
      )}
      {olderBefore !== null && (
        <a class="btn quiet tight" href={addressOf.runs(siteId, { show: filter, before: olderBefore })}>
          Older
        </a>
      )}
    </nav>
  );
}
