import type { JSX } from 'preact';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { FREQUENCIES } from '../../app/automation/schedule.js';
import type { Schedule } from '../../app/automation/schedules.js';
import { NextRun } from './next-run.js';
import type { RunReport } from '../../app/runs/history.js';
import type { RunLine } from '../../app/runs/run-lines.js';
import { Pins } from '../html/pins.js';
import { ScoreFigure } from '../html/score-figure.js';
import { addressOf } from '../server/site-paths.js';
import { isCharted, ScoreChart } from './chart.js';
import { type Fact, Facts, RailPart } from '../html/two.js';

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

/** The latest runs as strips of pins. */
export function LastRunsPart({ siteId, runs }: RunsPartProps): JSX.Element {
  return (
    <RailPart title="Last runs">
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
    </RailPart>
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

interface FilesPartProps {
  readonly siteId: string;
  readonly report: RunReport;
  readonly hasEvidence: boolean;
}

/** The run as files, and what programs call it and its site. */
export function FilesPart({ siteId, report, hasEvidence }: FilesPartProps): JSX.Element {
  const { number, reference } = report.response.run;
  const address = addressOf.run(siteId, number);
  const files = [
    [`${address}.json`, 'JSON', 'as the API answers'],
    [`${address}.csv`, 'CSV', 'for a spreadsheet'],
    ...(hasEvidence ? [[addressOf.evidenceFile(siteId, number), 'HAR', 'the recorded requests'] as const] : []),
  ] as const;
  return (
    <RailPart title={`Run ${number} as a file`}>
      <Facts
        facts={[
          ...files.map(([href, name, words]): Fact => [
            <a href={href}>
              {name}
              <span class="hide"> of this run</span>
            </a>,
            words,
          ]),
          ['Its reference', <code>{reference}</code>],
          ['Id of the site', <code>{siteId}</code>],
        ]}
      />
    </RailPart>
  );
}
