import type { JSX } from 'preact';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { PinStrip, type RowPin } from '../html/pin-row.js';
import { PIN_WORDS } from '../html/pins.js';
import { capitalise, formatDay, formatTime } from '../html/format.js';
import type { RunLine } from '../../app/runs/run-lines.js';
import { addressOf } from '../server/site-paths.js';
import type { FindingProps } from './finding-props.js';
import { RailPart } from '../html/two.js';
import { countOf } from '../../scanner/artifacts/counts.js';

/** More pins than these would be too thin to hit. */
const RUNS_MAX = 24;
/** Fewer pins than these do not fill the width. */
const RUNS_ROOM = 12;

/** How the check came out in this run and those before it, the oldest first. */
export function CheckHistory(props: FindingProps): JSX.Element {
  const { site, report, finding, now } = props;
  const runs = report.upToHere.slice(0, RUNS_MAX).reverse();
  const pins = runs.map(({ number, findings }): RowPin => {
    const { result: state = 'WAITING', scored = true } =
      findings.find(({ checkId }) => checkId === finding.checkId) ?? {};
    const title = `Run ${number}: ${PIN_WORDS[state]}`;
    return { key: String(number), href: addressOf.run(site.id, number), title, state, scored };
  });
  const isAll = runs[0]?.number === 1;
  const [first, last] = [runs[0], runs.at(-1)];
  return (
    <RailPart title={`This check in ${isAll ? '' : 'the last '}${countOf(runs.length, 'run')}`}>
      <PinStrip pins={pins} room={RUNS_ROOM} size="pins-l" />
      {first && last && first !== last && (
        <Axis
          marks={[first, last].map((run) => `Run ${run.number}, ${markOf(run, { first, last, now })}`)}
          isWide={runs.length >= RUNS_ROOM}
        />
      )}
      <p class="small soft">
        {describeCounts(pins)} <Since {...props} />
      </p>
    </RailPart>
  );
}

/** The first and the last run: below them, or next to each other where the pins do not fill the width. */
function Axis({ marks, isWide }: { readonly marks: readonly string[]; readonly isWide: boolean }): JSX.Element {
  return <p class="axis">{isWide ? marks.map((mark) => <span key={mark}>{mark}</span>) : marks.join(' – ')}</p>;
}

interface Ends {
  readonly first: RunLine;
  readonly last: RunLine;
  readonly now: Date;
}

/** When a run was: a time of day where all runs are of one day. */
function markOf({ startedAt }: RunLine, { first, last, now }: Ends): string {
  const dayOf = (at: string): string => at.slice(0, 10);
  const today = now.toISOString();
  if (dayOf(first.startedAt) === dayOf(last.startedAt)) return formatTime(startedAt);
  return dayOf(startedAt) === dayOf(today) ? 'today' : formatDay(startedAt, today);
}

const COUNTED: readonly (readonly [RowPin['state'], string])[] = [
  ['PASS', 'passed'],
  ['FAIL', 'failed'],
  ['UNDETERMINED', 'undetermined'],
  ['NOT_APPLICABLE', 'did not apply'],
  ['WAITING', 'not yet made'],
];

/** `Passed 12 times, undetermined once.` */
function describeCounts(pins: readonly RowPin[]): string {
  const parts = COUNTED.flatMap(([state, word]) => {
    const count = pins.filter((pin) => pin.state === state).length;
    return count > 0 ? [`${word} ${times(count)}`] : [];
  });
  const text = parts.join(', ');
  return `${capitalise(text)}.`;
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

const SO: Readonly<Record<Result, string>> = {
  PASS: 'Passes',
  FAIL: 'Fails',
  UNDETERMINED: 'Undetermined',
  NOT_APPLICABLE: 'Does not apply',
};

function Since({ site, report, finding: { checkId, result } }: FindingProps): JSX.Element | null {
  const since = report.since.get(checkId);
  if (since === undefined || since === report.response.run.number) return null;
  return (
    <>
      {SO[result]} since <a href={addressOf.run(site.id, since)}>run {since}</a>.
    </>
  );
}
