import type { ComponentChildren, JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Comparison } from '../../scanner/report/comparison.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { shareOf } from '../../scanner/report/score.js';
import type { RunChanges, RunLine } from '../../app/runs/run-lines.js';
import { describeStart } from '../../app/runs/run.js';
import { Fold } from '../html/fold.js';
import { Legend, Pins } from '../html/pins.js';
import { ReportBody, ReportHead } from '../html/report.js';
import { ScoreFigure } from '../html/page-header.js';
import { Time } from '../html/text.js';
import { SidebarPart, WithSidebar } from '../html/sidebar.js';
import { addressOf } from '../server/site-paths.js';
import { newsOf } from './changes.js';
import { isCharted, ScoreChart } from './score-chart.js';
import type { OwnReport } from './own-report.js';
import { ScoreMove } from './runs-table.js';
import { type RunBudget, UnjudgedRun } from './unjudged-run.js';

interface RunReportProps {
  readonly own: OwnReport;
  /** True on the page of the run itself, which needs no link to itself. */
  readonly isOwnPage: boolean;
  readonly now: Date;
}

/** The answer, the score, when and how the run was made, and what changed. */
export function RunReportHead({ own, isOwnPage, now }: RunReportProps): JSX.Element {
  const { site, run, view } = own;
  const { changes, response, label } = run;
  const { number, score, finishedAt, startedAt, trigger } = response.run;
  return (
    <ReportHead
      view={view}
      change={changes && <ScoreChange siteId={site.id} changes={changes} isOwnPage={isOwnPage} />}
      facts={
        <>
          <li>
            {!isOwnPage && (
              <>
                <a href={addressOf.run(site.id, number)}>Run {number}</a>,{' '}
              </>
            )}
            <b>
              <Time at={finishedAt ?? startedAt} now={now} />
            </b>
            , {describeStart(trigger, label)}
          </li>
          {changes?.comparison.hasOtherPages && <li>Other pages were sampled than in run {changes.from.number}</li>}
          {score === null && <ScoreBefore runs={run.runsUpToThis} />}
        </>
      }
    />
  );
}

function ScoreBefore({ runs }: { readonly runs: readonly RunLine[] }): JSX.Element | null {
  const before = runs.find(({ score }) => score !== null);
  if (!before) return null;
  return (
    <li>
      The score before, of run {before.number}: <b class="num">{before.score}</b>. This run isn’t used in comparisons.
    </li>
  );
}

interface ScoreChangeProps {
  readonly siteId: string;
  readonly changes: RunChanges;
  readonly isOwnPage: boolean;
}

/** What changed, as a link to the comparison. The page of the run says what in its title. */
function ScoreChange({ siteId, changes, isOwnPage }: ScoreChangeProps): JSX.Element {
  const { from, to, comparison } = changes;
  const news = isOwnPage ? [] : describeChanges(comparison);
  const isSame = from.score === to.score;
  return (
    <a href={addressOf.comparison(siteId, from.number, to.number)}>
      {news.map((words) => `${words}, `)}
      {isSame && (news.length > 0 || isOwnPage ? 'same score' : 'no change')}
      <ScoreMove before={from.score} now={to.score} isWorse={comparison.newFailures.length > 0} /> since run{' '}
      {from.number}
      <span class="hide">: compare</span>
      {describeMoreChecks(changes)}
    </a>
  );
}

/** `1 new failure`, `2 fixed`. */
function describeChanges(comparison: Comparison): readonly string[] {
  const { changed, notComparable } = comparison;
  return [
    ...newsOf(comparison),
    ...(changed.length > 0 ? [`${changed.length} more changed`] : []),
    ...(notComparable.length > 0 ? [`${notComparable.length} not comparable`] : []),
  ];
}

/** Explains a lower score: `. 3 more checks apply now` */
function describeMoreChecks({ from, to }: RunChanges): string {
  const more = shareOf(to.findings).applicable - shareOf(from.findings).applicable;
  if (more <= 0 || to.score >= from.score) return '';
  return `. ${countOf(more, 'more check')} ${more === 1 ? 'applies' : 'apply'} now`;
}

/** Runs that the chart shows, and those that the list below it shows. */
const CHART_RUNS = 20;
const LISTED_RUNS = 5;

interface RunReportMainProps {
  readonly own: OwnReport;
  /** Manual runs of today, where one can be started. */
  readonly budget?: RunBudget | undefined;
  /** Shown above the findings. */
  readonly notices?: ComponentChildren;
  /** In the sidebar. */
  readonly aside: ComponentChildren;
  readonly now: Date;
}

/** The findings of a run; in the sidebar the runs before it, and the run as files. */
export function RunReportMain({ own, budget, notices, aside, now }: RunReportMainProps): JSX.Element {
  const { site, run, view, evidence } = own;
  const rail = (
    <>
      <EarlierRuns siteId={site.id} runs={run.runsUpToThis} />
      {aside}
      <Files siteId={site.id} number={run.response.run.number} hasEvidence={evidence.ofRun.size > 0} />
      {!view.isUnjudged && (
        <Fold title="How to read the pins">
          <Legend states={view.scan.findings.map(({ result }) => result)} />
        </Fold>
      )}
    </>
  );
  return (
    <WithSidebar rail={rail}>
      {notices}
      <ReportBody view={view} now={now} unjudged={<UnjudgedRun own={own} budget={budget} />} />
    </WithSidebar>
  );
}

/** The score over the last runs, and the latest of them as pins. */
function EarlierRuns({ siteId, runs }: { readonly siteId: string; readonly runs: readonly RunLine[] }) {
  if (runs.length < 2) return null;
  const charted = runs.slice(0, CHART_RUNS);
  return (
    <SidebarPart title="Last runs">
      {isCharted(charted) && <ScoreChart runs={charted.toReversed()} />}
      <ul class="plain runs">
        {runs.slice(0, LISTED_RUNS).map(({ number, score, findings }) => (
          <li key={number} class="row apart">
            <a class="num small" href={addressOf.run(siteId, number)}>
              Run {number}
            </a>
            <Pins groups={pinGroupsOf(findings)} size="pins-s" />
            <b class="num">
              <ScoreFigure score={score} />
            </b>
          </li>
        ))}
      </ul>
      <p class="small">
        <a href={addressOf.runs(siteId)}>All runs</a>
      </p>
    </SidebarPart>
  );
}

interface FilesProps {
  readonly siteId: string;
  readonly number: number;
  readonly hasEvidence: boolean;
}

function Files({ siteId, number, hasEvidence }: FilesProps): JSX.Element {
  const path = addressOf.run(siteId, number);
  return (
    <SidebarPart title="Download">
      <p class="row small">
        <a href={`${path}.json`}>JSON, as in the API</a>
        {hasEvidence && <a href={addressOf.evidenceFile(siteId, number)}>HAR, the recorded requests</a>}
      </p>
    </SidebarPart>
  );
}
