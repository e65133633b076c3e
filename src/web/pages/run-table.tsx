import type { JSX } from 'preact';
import { type Change, failingOtherwise } from '../../scanner/report/comparison.js';
import { titleOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { Icon } from '../html/icons.js';
import { PinHeads, Pins } from '../html/pins.js';
import { capitalise, formatDay, formatMoment } from '../html/format.js';
import { addressOf } from '../server/site-paths.js';
import type { RunLine } from '../../app/runs/run-lines.js';
import type { HistoryLine } from '../../app/runs/history-page.js';
import { otherChangesOf } from './changes.js';
import { describeStart } from '../../app/runs/run-label.js';
import { type Column, TableHead } from '../html/table.js';

/** More checks than these are not named in a row. */
const NAMES_MAX = 3;
/** So many runs in a row that found the same as the one before them take one line. */
const ALIKE_MIN = 4;

interface RunTableProps {
  readonly siteId: string;
  /** The newest first. */
  readonly lines: readonly HistoryLine[];
  /** Whether two runs can be picked to be compared. */
  readonly canPick?: boolean;
  readonly now: Date;
}

const PICK: Column = [<span class="hide">Pick two to compare</span>];
const CHANGES: readonly Column[] = [['Change'], ['What changed']];
const RUN: readonly Column[] = [
  ['Run'],
  [
    <>
      <span class="hide">Checks</span>
      <PinHeads />
    </>,
  ],
  ['Score', 'r'],
];

/** Runs down, checks across: a column shows the history of one check. */
export function RunTable({ siteId, lines, canPick = false, now }: RunTableProps): JSX.Element {
  // The first run changes nothing.
  const hasChanges = lines.some(({ change, score }) => change !== null || score === null);
  const columns = [...(canPick ? [PICK] : []), ...RUN, ...(hasChanges ? CHANGES : []), ['Finished, UTC'] as const];
  return (
    <table class="sheet cards">
      <TableHead columns={columns} />
      {stretchesOf(lines).map((stretch) => {
        const [first] = stretch;
        const isFolded = first !== undefined && stretch.length >= ALIKE_MIN && isAlike(first);
        return (
          <tbody key={first?.number} class={isFolded ? 'alike' : undefined}>
            {isFolded && <Alike {...{ stretch, canPick, now }} />}
            {stretch.map((line) => (
              <Row key={line.number} {...{ siteId, line, hasChanges, canPick, now }} />
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

/** Runs that found the same as the one before them are together, as are those between. */
function stretchesOf(lines: readonly HistoryLine[]): HistoryLine[][] {
  const stretches: HistoryLine[][] = [];
  for (const line of lines) {
    const stretch = stretches.at(-1);
    const before = stretch?.at(-1);
    if (before !== undefined && isAlike(before) === isAlike(line)) stretch?.push(line);
    else stretches.push([line]);
  }
  return stretches;
}

/** Whether a line has nothing to say: the one before it says all of it. */
function isAlike({ score, change }: HistoryLine): boolean {
  if (score !== change?.scoreBefore) return false;
  const { newFailures, fixed, nowJudged, changed, notComparable } = change.comparison;
  const changes = [newFailures, fixed, nowJudged, changed, notComparable, failingOtherwise(change.comparison)];
  return changes.every(({ length }) => length === 0);
}

interface AlikeProps extends Pick<RunTableProps, 'canPick' | 'now'> {
  /** The newest first. */
  readonly stretch: readonly HistoryLine[];
}

/** A row in the place of many that are alike, which it shows without script. */
function Alike({ stretch, canPick, now }: AlikeProps): JSX.Element {
  const [last, first] = [stretch[0], stretch.at(-1)];
  const days = [first, last].map((line) => formatDay(line?.finishedAt ?? '', now.toISOString()));
  return (
    <tr>
      {canPick && <td class="c-pick" />}
      <th scope="row">
        Runs {first?.number} to {last?.number}
      </th>
      <td class="c-pins">
        <Pins groups={pinGroupsOf(last?.findings ?? [])} />
      </td>
      <td class="r big c-score">{last?.score}</td>
      <td class="c-chg" />
      <td class="small c-what">
        <label class="show">
          <input type="checkbox" class="hide" />
          <Icon name="right" />
          <span>
            <span class="hide">Show the </span>
            {stretch.length} runs without a change
          </span>
        </label>
      </td>
      <td class="soft small c-when">{[...new Set(days)].join(' to ')}</td>
    </tr>
  );
}

interface RowProps extends Omit<RunTableProps, 'lines'> {
  readonly line: HistoryLine;
  /** Whether any line has something to say of what changed. */
  readonly hasChanges: boolean;
}

function Row({ siteId, line, hasChanges, canPick, now }: RowProps): JSX.Element {
  const { number, score, findings, finishedAt, trigger, label } = line;
  return (
    <tr>
      {canPick && (
        <td class="c-pick">
          <input type="checkbox" name="run" value={number} aria-label={`Pick run ${number}`} />
        </td>
      )}
      <th scope="row">
        <a href={addressOf.run(siteId, number)}>Run {number}</a>
      </th>
      <td class="c-pins">
        <Pins groups={pinGroupsOf(findings)} />
      </td>
      <td class="r big c-score">{score ?? <span class="chip is-u">No score</span>}</td>
      {hasChanges && (
        <>
          <td class="c-chg">
            <Move line={line} />
          </td>
          <td class="small c-what">
            <WhatChanged line={line} />
          </td>
        </>
      )}
      <td class="soft small c-when">
        <time dateTime={finishedAt}>{formatMoment(finishedAt, now.toISOString())}</time>,{' '}
        {describeStart(trigger, label)}
      </td>
    </tr>
  );
}

function Move({ line: { score, change, isWorse } }: { readonly line: RunLine }): JSX.Element | null {
  return score === null ? null : change && <ScoreMove before={change.scoreBefore} now={score} isWorse={isWorse} />;
}

interface ScoreMoveProps {
  readonly before: number;
  readonly now: number;
  /** Whether something broke. A score falls too where more is judged, and that is nothing bad. */
  readonly isWorse: boolean;
}

/** By how many points a score went up or down: an arrow, and its word for those who do not see it. */
export function ScoreMove({ before, now, isWorse }: ScoreMoveProps): JSX.Element | null {
  if (before === now) return null;
  const isUp = now > before;
  return (
    <span class={isUp ? 'up' : isWorse ? 'down' : 'soft'}>
      <Icon name={isUp ? 'up' : 'fall'} />
      <span class="hide">{isUp ? 'up ' : 'down '}</span>
      {Math.abs(now - before)}
    </span>
  );
}

/** Changes of one kind. */
interface Kind {
  readonly className: string;
  readonly title: string;
  /** After their number, where they are not named; what broke and what was fixed always is. */
  readonly counted?: string;
  readonly changes: readonly Change[];
}

/** What broke and what was fixed by name, the larger part first, and the rest as numbers: the comparison has them all. */
function WhatChanged({ line: { change, cause } }: { readonly line: HistoryLine }): JSX.Element | null {
  if (cause !== null) return <span class="soft">{capitalise(cause)}</span>;
  if (change === null) return null;
  const { newFailures, fixed, nowJudged, changed } = change.comparison;
  const broke: Kind = { className: 'down', title: 'Broke', changes: newFailures };
  const fixedOnes: Kind = { className: 'up', title: 'Fixed', changes: fixed };
  const kinds: readonly Kind[] = [
    ...(fixed.length > newFailures.length ? [fixedOnes, broke] : [broke, fixedOnes]),
    { className: 'soft', title: 'Now judged', counted: 'now judged', changes: nowJudged },
    {
      ...{ className: 'soft', title: 'Fails differently', counted: 'failing differently' },
      changes: failingOtherwise(change.comparison),
    },
    ...otherChangesOf(changed).map((others) => ({ className: 'soft', counted: 'more changed', ...others })),
  ].filter(({ changes }) => changes.length > 0);
  const countUpTo = (index: number): number => kinds.slice(0, index + 1).flatMap(({ changes }) => changes).length;
  const isNamed = ({ counted }: Kind, index: number): boolean =>
    counted === undefined || index === 0 || countUpTo(index) <= NAMES_MAX;
  const named = kinds.filter(isNamed);
  const rest = Map.groupBy(kinds.slice(named.length), ({ counted }) => counted);
  return (
    <>
      {named.map(({ className, title, changes }) => (
        <div key={title}>
          <span class={className}>{title}:</span> {nameSome(changes)}
        </div>
      ))}
      {rest.size > 0 && (
        <div class="soft">
          {[...rest]
            .map(([words, ofWords]) => `${ofWords.flatMap(({ changes }) => changes).length} ${words}`)
            .join(', ')}
        </div>
      )}
    </>
  );
}

/** `llms.txt links, Sitemap and 4 more`. */
function nameSome(changes: readonly Change[]): string {
  const shown = changes.length > NAMES_MAX ? changes.slice(0, NAMES_MAX - 1) : changes;
  const names = shown.map(({ checkId }) => titleOf(checkId)).join(', ');
  return shown.length === changes.length ? names : `${names} and ${changes.length - shown.length} more`;
}
