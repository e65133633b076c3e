import type { JSX } from 'preact';
import { pinGroupsOf } from '../../../scanner/report/pins.js';
import { FREQUENCIES } from '../../automation/schedule.js';
import type { Schedule } from '../../automation/schedules.js';
import { NextRun } from '../../automation/pages/next-run.js';
import type { RunReport } from '../../runs/history.js';
import type { RunLine } from '../../runs/run-lines.js';
import { Jumps, partFailures } from '../../../web/kit/components/findings.js';
import { Legend, Pins } from '../../../web/kit/components/pins.js';
import { ScoreFigure } from '../../../web/kit/components/score-figure.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { isCharted, ScoreChart } from './chart.js';
import { partsOf, type ReportProps } from './report.js';
import { type Fact, Facts, RailPart } from '../../../web/kit/components/two.js';

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
}

/** The latest runs as strips of pins; those in a row that found the same have one. */
export function LastRunsPart({ siteId, runs, title = 'Last runs' }: LastRunsPartProps): JSX.Element {
  return (
    <RailPart title={title}>
      <ul class="plain runs">
        {alikeOf(runs).map(([{ number, score, results }, first]) => (
          <li key={number} class="row apart">
            <a class="num small" href={addressOf.run(siteId, number)}>
              {first === number ? `Run ${number}` : `Runs ${first} to ${number}`}
            </a>
            <Pins groups={pinGroupsOf(results)} size="pins-s" />
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

type Alike = readonly [newest: RunLine, firstNumber: number];

/** The first rows of runs with the same score and the same results in the same way, the newest first. */
function alikeOf(runs: readonly RunLine[]): readonly Alike[] {
  const alike: Alike[] = [];
  for (const run of runs) {
    const [newest] = alike.at(-1) ?? [];
    if (newest !== undefined && isSame(newest, run)) alike[alike.length - 1] = [newest, run.number];
    else if (alike.length === LISTED_RUNS) break;
    else alike.push([run, run.number]);
  }
  return alike;
}

/** Runs that found the same mostly have their results in common: these need no look. */
function isSame(one: RunLine, other: RunLine): boolean {
  if (one.score !== other.score) return false;
  return one.results === other.results || foundOf(one) === foundOf(other);
}

function foundOf({ results }: RunLine): string {
  return results.map(({ checkId, result, errorType }) => `${checkId} ${result} ${errorType}`).join('\n');
}

/** What the findings at the left are, at hand wherever their reader is. */
export function ListPart(props: Pick<ReportProps, 'report' | 'annotations'>): JSX.Element {
  const { open } = partFailures(partsOf(props));
  return (
    <div class="stay">
      {open.length > 0 && (
        <nav aria-label="What to fix">
          <RailPart title="To fix">
            <Jumps failures={open} className="plain" />
          </RailPart>
        </nav>
      )}
      <RailPart title="How to read the pins">
        <Legend states={props.report.response.findings.map(({ result }) => result)} />
      </RailPart>
    </div>
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
    ...(hasEvidence ? [[addressOf.evidenceFile(siteId, number), 'WARC', 'the recorded requests'] as const] : []),
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
