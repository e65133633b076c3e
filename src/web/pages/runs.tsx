import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { ActionButton } from '../html/form.js';
import { Empty, Legend } from '../html/pins.js';
import { queryOf } from '../server/context.js';
import type { Part } from '../server/page-part.js';
import { CHART_RUNS_MAX, type HistoryPage, PAGE_RUNS, RUN_FILTERS, type RunFilter } from '../../app/runs/run-lines.js';
import { addressOf } from '../server/site-paths.js';
import { loadOwnSite, parseNumber } from '../server/requested-site.js';
import { SiteHeader } from './site-header.js';
import { PickItem } from '../html/pick.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { isCharted, ScoreChart } from './score-chart.js';
import { RunTable } from './runs-table.js';

/** The history of a site by number, a page at a time. */
export const addRunsPage: Part = (router, { sites, history, siteNotes, clock, sendPage }) => {
  router.get('/sites/:siteId/runs', async (ctx) => {
    const site = await loadOwnSite(ctx, { sites });
    const before = parseNumber(queryOf(ctx, 'before'));
    const filter = RUN_FILTERS.find((one) => one === queryOf(ctx, 'show')) ?? 'all';
    const page = await history.page(site, { filter, ...(before !== null && { before }) });
    const hasRuns = site.latestNumber > 0;
    sendPage(ctx, {
      title: `Runs, ${site.hostname}`,
      header: (
        <SiteHeader
          site={site}
          title={describeRuns(page)}
          note={siteNotes?.get(site.id)}
          at={addressOf.runs(site.id)}
        />
      ),
      main: hasRuns ? (
        <Runs site={site} {...{ page, filter }} now={clock.now()} />
      ) : (
        <NoRuns siteId={site.id} isVerified={site.verifiedAt !== null} />
      ),
    });
  });
};

/** `14 runs, from 38 to 67, best 72`; `now at 67` if the scores go up and down. */
function describeRuns({ charted, counts }: Pick<HistoryPage, 'charted' | 'counts'>): string {
  if (counts.all === 0) return 'No run yet';
  const scores = charted.flatMap(({ score }) => (score === null ? [] : [score]));
  const [first, last] = [scores.at(0), scores.at(-1)];
  const runs = countOf(counts.all, 'run');
  if (last === undefined) return `${runs}, none with a score`;
  if (scores.length === 1) return `${runs}, ${last} of 100`;
  const best = Math.max(...scores);
  const isWayward = counts.all > charted.length || turnsOf(scores) >= TURNS_MIN;
  if (isWayward) return `${runs}, now at ${last}${best > last ? `, best ${best}` : ''}`;
  if (scores.every((score) => score === first)) return `${runs}, always ${last}`;
  return `${runs}, from ${first} to ${last}${best > Math.max(first ?? 0, last) ? `, best ${best}` : ''}`;
}

/** From this many turns on, the first score says nothing about the last. */
const TURNS_MIN = 4;

function turnsOf(scores: readonly number[]): number {
  const steps = scores
    .map((score, index) => Math.sign(score - (scores[index - 1] ?? score)))
    .filter((step) => step !== 0);
  return steps.filter((step, index) => index > 0 && step !== steps[index - 1]).length;
}

function NoRuns({ siteId, isVerified }: { readonly siteId: string; readonly isVerified: boolean }): JSX.Element {
  return (
    <div class="w over-text">
      <Empty>
        <h2>Your runs will be listed here</h2>
        <p>Each with its score and what changed. Start runs yourself, by a schedule, or after each deployment.</p>
        {isVerified ? (
          <ActionButton action={addressOf.runs(siteId)} icon="play">
            Start the first run
          </ActionButton>
        ) : (
          <a class="btn" href={addressOf.verify(siteId)}>
            Verify the domain first
          </a>
        )}
      </Empty>
    </div>
  );
}

interface RunsProps {
  readonly site: OwnSite;
  readonly page: HistoryPage;
  readonly filter: RunFilter;
  readonly now: Date;
}

/** The chart, then the runs of a page. */
function Runs({ site, page, filter, now }: RunsProps): JSX.Element {
  const isFirst = page.counts.all === 1 && typeof page.lines[0]?.score === 'number';
  const score = (
    <div class="over-text">
      <ScoreSection site={site} page={page} />
    </div>
  );
  return (
    <div class="w">
      {!isFirst && score}
      <RunPicker {...{ site, page, filter, now }} />
      {isFirst && score}
    </div>
  );
}

/** Runs of which two can be ticked to compare them. */
function RunPicker({ site, page, filter, now }: RunsProps): JSX.Element {
  const { lines, counts } = page;
  const canPick = lines.filter(({ score }) => score !== null).length > 1;
  return (
    <form action={addressOf.compare(site.id)}>
      <div class="row apart bar">
        <Filters siteId={site.id} counts={counts} filter={filter} />
        {canPick && (
          <button class="quiet tight" type="submit">
            Compare two runs
          </button>
        )}
      </div>
      {lines.length > 0 ? <RunTable siteId={site.id} {...{ lines, canPick, now }} /> : <p>There are no such runs.</p>}
      <div class="row apart more">
        <Legend states={lines.flatMap(({ findings }) => findings.map(({ result }) => result))} />
        <Pages {...{ site, page, filter, now }} />
      </div>
    </form>
  );
}

/** The chart, or what to do if there is nothing to draw. */
function ScoreSection({ site, page: { charted, counts } }: Pick<RunsProps, 'site' | 'page'>): JSX.Element {
  if (charted.every(({ score }) => score === null)) return <NoneScored site={site} />;
  if (!isCharted(charted)) return <OneScored site={site} />;
  return (
    <>
      <ScoreChart runs={charted} />
      {counts.all > charted.length && (
        <p class="hint wide">The chart and the filters cover the last {CHART_RUNS_MAX} runs.</p>
      )}
    </>
  );
}

function NoneScored({ site }: Pick<RunsProps, 'site'>): JSX.Element {
  return (
    <div class="note is-u row apart">
      <b>No run could judge this site.</b>
      <a class="btn" href={addressOf.run(site.id, site.latestNumber)}>
        What to do
      </a>
    </div>
  );
}

function RunAgain({ site }: Pick<RunsProps, 'site'>): JSX.Element | null {
  if (site.verifiedAt === null) return null;
  return (
    <ActionButton action={addressOf.runs(site.id)} icon="play">
      Run now
    </ActionButton>
  );
}

function OneScored({ site }: Pick<RunsProps, 'site'>): JSX.Element {
  return (
    <div class="note row apart">
      Run it again after your next change to see what it did to the score. <RunAgain site={site} />
    </div>
  );
}

const FILTER_WORDS: Readonly<Record<RunFilter, string>> = {
  all: 'All',
  changed: 'Changed',
  worse: 'Got worse',
  unscored: 'No score',
};

interface FiltersProps extends Pick<HistoryPage, 'counts'>, Pick<RunsProps, 'filter'> {
  readonly siteId: string;
}

function Filters({ siteId, counts, filter }: FiltersProps): JSX.Element {
  const offered = RUN_FILTERS.filter(
    (one) => one === filter || one === 'all' || (counts[one] > 0 && counts[one] < counts.all),
  );
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

function Pages({ site: { id: siteId }, page, filter }: RunsProps): JSX.Element {
  const { lines, newerCount, newerBefore, olderBefore, counts } = page;
  const [newest, oldest] = [lines.at(0)?.number, lines.at(-1)?.number];
  const of = counts[filter];
  const isAlone = newerCount === 0 && olderBefore === null;
  const range = filter === 'all' ? [newest, oldest] : [newerCount + 1, newerCount + lines.length];
  return (
    <nav aria-label="Pages of the history" class="row small soft num">
      {!isAlone && lines.length > 0 && (
        <span>
          {filter === 'all' ? 'Runs ' : ''}
          {[...new Set(range)].join(' to ')} of {of}
        </span>
      )}
      {newerCount > PAGE_RUNS && (
        <a class="btn quiet tight" href={addressOf.runs(siteId, { show: filter })}>
          Latest
        </a>
      )}
      {newerBefore !== null && (
        <a
          class="btn quiet tight"
          href={addressOf.runs(siteId, { show: filter, ...(newerCount > PAGE_RUNS && { before: newerBefore }) })}
        >
          <span aria-hidden="true">←</span> Newer
        </a>
      )}
      {olderBefore !== null && (
        <a class="btn quiet tight" href={addressOf.runs(siteId, { show: filter, before: olderBefore })}>
          Older <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  );
}
