import type { JSX } from 'preact';
import { ActionButton } from '../html/form.js';
import { PickItem } from '../html/pick.js';
import { Legend } from '../html/pins.js';
import {
  CHART_RUNS_MAX,
  PAGE_RUNS,
  RUN_FILTERS,
  type RunFilter,
  type HistoryPage,
} from '../../app/runs/history-page.js';
import { addressOf } from '../server/site-paths.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { isCharted, markOf, runsPerPoint, ScoreChart } from './chart.js';
import { RunTable } from './run-table.js';

interface RunsProps {
  readonly site: OwnSite;
  readonly page: HistoryPage;
  readonly filter: RunFilter;
  readonly now: Date;
}

/** The way of the score, then the runs of a page. */
export function Runs(props: RunsProps): JSX.Element {
  const { site, page, filter, now } = props;
  const isAlone = page.counts.all === 1 && typeof page.lines[0]?.score === 'number';
  return (
    <div class="w">
      {!isAlone && (
        <div class="over-text">
          <Way {...props} />
        </div>
      )}
      <RunPicker
        {...{ site, now }}
        lines={page.lines}
        title={<Filters siteId={site.id} counts={page.counts} filter={filter} />}
        end={<Pages {...props} />}
      />
      {isAlone && (
        <div class="over-text">
          <OneScored site={site} />
        </div>
      )}
    </div>
  );
}

interface RunPickerProps extends Pick<RunsProps, 'site' | 'now'>, Pick<HistoryPage, 'lines'> {
  /** What the list is, or how it is filtered. */
  readonly title: JSX.Element;
  readonly end: JSX.Element;
}

/** Runs of which two can be picked to compare them. */
function RunPicker({ site, lines, now, title, end }: RunPickerProps): JSX.Element {
  const canPick = lines.filter(({ score }) => score !== null).length > 1;
  return (
    <form action={addressOf.compare(site.id)}>
      <div class="row apart bar">
        {title}
        {canPick && (
          <button class="quiet tight" type="submit">
            Compare two runs
          </button>
        )}
      </div>
      {lines.length > 0 ? <RunTable siteId={site.id} {...{ lines, canPick, now }} /> : <p>There are no such runs.</p>}
      <div class="row apart more">
        <Legend states={lines.flatMap(({ findings }) => findings.map(({ result }) => result))} />
        {end}
      </div>
    </form>
  );
}

/** How the score went, as far as there is a way to show. */
function Way({ site, page: { charted, counts, lines } }: RunsProps): JSX.Element {
  if (charted.every(({ score }) => score === null)) return <NoneScored site={site} lines={lines} />;
  if (!isCharted(charted)) return <OneScored site={site} />;
  const together = runsPerPoint(charted.length);
  const listed = new Set(lines.map(({ number }) => number));
  const mark = markOf(charted, listed);
  const notes = [
    ...(counts.all > charted.length ? [`The chart and the filters look at the last ${CHART_RUNS_MAX} runs.`] : []),
    ...(together > 1 ? [`Grey bars: the range of ${together} runs.`] : []),
    ...(mark === null ? [] : [mark === 'shade' ? 'Shaded: the runs listed below.' : 'Dots: the runs listed below.']),
  ];
  return (
    <>
      <ScoreChart runs={charted} listed={listed} />
      {notes.length > 0 && <p class="hint wide">{notes.join(' ')}</p>}
    </>
  );
}

/** What stands in the place of a chart: why, where all runs say the same. */
function NoneScored({ site, lines }: Pick<RunsProps, 'site'> & Pick<HistoryPage, 'lines'>): JSX.Element {
  const [cause = null, ...others] = new Set(lines.map((line) => line.cause));
  const times = lines.length === 2 ? ', both times' : lines.length > 2 ? `, ${lines.length} times` : '';
  return (
    <div class="note is-u row apart">
      <p>
        <b>No run could judge this site{cause !== null && others.length === 0 && `: ${cause}${times}`}.</b>
      </p>
      <div class="row">
        <RunAgain site={site} isQuiet />
        <a class="btn" href={addressOf.run(site.id, site.latestNumber)}>
          What to do
        </a>
      </div>
    </div>
  );
}

interface RunAgainProps extends Pick<RunsProps, 'site'> {
  /** Whether something else comes first. */
  readonly isQuiet?: boolean;
}

function RunAgain({ site, isQuiet = false }: RunAgainProps): JSX.Element | null {
  if (site.verifiedAt === null) return null;
  return (
    <ActionButton action={addressOf.runs(site.id)} icon="play" kind={isQuiet ? 'quiet' : 'solid'}>
      Run now
    </ActionButton>
  );
}

/** What comes of a second run. */
function OneScored({ site }: Pick<RunsProps, 'site'>): JSX.Element {
  return (
    <div class="note row apart">
      <p>Run it again after your next change: then you see here what it did to the score.</p>
      <RunAgain site={site} />
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
