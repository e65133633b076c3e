import type { ComponentChildren, JSX } from 'preact';
import { pinGroupsOf } from '../../../scanner/report/pins.js';
import { FREQUENCIES } from '../../automation/schedule.js';
import type { Schedule } from '../../automation/schedules.js';
import { NextRun } from '../../automation/pages/next-run.js';
import type { RunReport } from '../../runs/history.js';
import type { RunLine } from '../../runs/run-lines.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { isCharted, ScoreChart } from './chart.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';

/** How many of the latest runs the chart shows, and how many of them the list. */
const CHART_RUNS = 20;
const LISTED_RUNS = 5;

interface RunsPartProps {
  readonly siteId: string;
  /** The newest first. */
  readonly runs: readonly RunLine[];
}

/** How the score went; nothing where no way shows yet. */
export function ScorePart({ runs }: Pick<RunsPartProps, 'runs'>): JSX.Element | null {
  const charted = runs.slice(0, CHART_RUNS);
  if (!isCharted(charted)) return null;
  return (
    <RailPart title="Score">
      <ScoreChart runs={charted.toReversed()} />
    </RailPart>
  );
}

interface LastRunsPartProps extends RunsPartProps {
  readonly title?: string;
  /** Where else they lead. */
  readonly children?: ComponentChildren;
}

/** The latest runs as strips of pins. */
export function LastRunsPart({ siteId, runs, title = 'Last runs', children }: LastRunsPartProps): JSX.Element {
  return (
    <RailPart title={title}>
      <ul class="plain runs">
        {runs.slice(0, LISTED_RUNS).map(({ number, score, results }) => (
          <li key={number} class="row apart">
            <a class="num small" href={addressOf.run(siteId, number)}>
              Run {number}
            </a>
            <Pins groups={pinGroupsOf(results)} size="pins-s" />
            <b class="num">{score ?? <NoFigure />}</b>
          </li>
        ))}
      </ul>
      <p class="small row">
        <a href={addressOf.runs(siteId)}>All runs</a>
        {children}
      </p>
    </RailPart>
  );
}

function NoFigure(): JSX.Element {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span class="hide">no score</span>
    </>
  );
}

export interface RunBudget {
  readonly left: number;
  readonly limit: number;
}

interface AutomationPartProps {
  readonly siteId: string;
  readonly schedule: Schedule;
  readonly budget: RunBudget;
  readonly now: Date;
}

/** When the site runs. */
export function AutomationPart({ siteId, schedule, budget, now }: AutomationPartProps): JSX.Element {
  const { effective, nextRunAt } = schedule;
  return (
    <RailPart title="Runs">
      <Facts
        facts={[
          [
            'Schedule',
            <a href={addressOf.automation(siteId)}>{effective === null ? 'none' : FREQUENCIES[effective].label}</a>,
          ],
          effective !== null && nextRunAt !== null && ['Next', <NextRun at={nextRunAt} now={now} />],
          ['By hand today', `${budget.limit - budget.left} of ${budget.limit} used`],
        ]}
      />
    </RailPart>
  );
}

/** What programs need, and files to take along. */
export function ApiPart({
  siteId,
  report,
  hasEvidence,
}: {
  readonly siteId: string;
  readonly report: RunReport | null;
  readonly hasEvidence: boolean;
}): JSX.Element {
  const run = report?.response.run;
  return (
    <RailPart title="For the API">
      <Facts facts={[['Site', <code>{siteId}</code>], run !== undefined && ['Run', <code>{run.reference}</code>]]} />
      {run && (
        <p class="small row">
          <a href={`${addressOf.run(siteId, run.number)}.json`}>
            JSON<span class="hide"> of this run</span>
          </a>
          <a href={`${addressOf.run(siteId, run.number)}.csv`}>
            CSV<span class="hide"> of this run</span>
          </a>
          {hasEvidence && (
            <a href={addressOf.evidenceFile(siteId, run.number)}>
              WARC<span class="hide">, the evidence of this run</span>
            </a>
          )}
        </p>
      )}
    </RailPart>
  );
}
