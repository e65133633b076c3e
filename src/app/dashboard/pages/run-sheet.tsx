import type { JSX } from 'preact';
import type { Change } from '../../../scanner/report/comparison.js';
import { pinGroupsOf, shortNameOf } from '../../../scanner/report/pins.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { PinHeads, Pins } from '../../../web/kit/components/pins.js';
import { capitalise, formatMoment } from '../../../web/kit/format.js';
import { addressOf } from '../../sites/pages/addresses.js';
import type { RunLine } from '../../runs/run-lines.js';
import type { SheetLine } from '../../runs/run-sheet.js';
import { otherChangesOf } from './changes.js';
import { TRIGGER_WORDS } from '../../runs/words.js';
import { type Column, TableHead } from '../../../web/kit/components/table.js';

const NAMES_MAX = 5;

interface RunSheetProps {
  readonly siteId: string;
  /** The newest first. */
  readonly lines: readonly SheetLine[];
  /** The two runs that are picked to be compared; null where nothing can be. */
  readonly picked: readonly number[] | null;
  readonly now: Date;
}

const PICK: Column = [<span class="hide">Pick two to compare</span>];
const COLUMNS: readonly Column[] = [
  ['Run'],
  [
    <>
      <span class="hide">Checks</span>
      <PinHeads />
    </>,
  ],
  ['Score', 'r'],
  ['Change'],
  ['What changed'],
  ['Finished, UTC'],
];

/** Runs down, checks across: a column shows the history of one check. */
export function RunSheet({ siteId, lines, picked, now }: RunSheetProps): JSX.Element {
  return (
    <table class="sheet cards">
      <TableHead columns={[...(picked ? [PICK] : []), ...COLUMNS]} />
      <tbody>
        {lines.map((line) => (
          <Row key={line.number} {...{ siteId, line, picked, now }} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<RunSheetProps, 'lines'> {
  readonly line: SheetLine;
}

function Row({ siteId, line, picked, now }: RowProps): JSX.Element {
  const { number, score, results, finishedAt, trigger } = line;
  return (
    <tr>
      {picked && (
        <td class="c-pick">
          <input
            type="checkbox"
            name="run"
            value={number}
            aria-label={`Pick run ${number}`}
            checked={picked.includes(number)}
          />
        </td>
      )}
      <th scope="row">
        <a href={addressOf.run(siteId, number)}>Run {number}</a>
      </th>
      <td class="c-pins">
        <Pins groups={pinGroupsOf(results)} />
      </td>
      <td class="r big c-score">
        {score ?? (
          <span class="soft" aria-hidden="true">
            –
          </span>
        )}
      </td>
      <td class="c-chg">
        <Move line={line} />
      </td>
      <td class="small c-what">
        <WhatChanged line={line} />
      </td>
      <td class="soft small c-when">
        <time dateTime={finishedAt}>{formatMoment(finishedAt, now.toISOString())}</time>, {TRIGGER_WORDS[trigger]}
      </td>
    </tr>
  );
}

function Move({ line: { score, change, isWorse } }: { readonly line: RunLine }): JSX.Element | null {
  if (score === null) return <span class="chip is-u">No score</span>;
  return change && <ScoreMove before={change.scoreBefore} now={score} isWorse={isWorse} />;
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

function WhatChanged({ line: { change, cause } }: { readonly line: SheetLine }): JSX.Element | null {
  if (cause !== null) return <span class="soft">{capitalise(cause)}</span>;
  if (change === null) return null;
  const { newFailures, fixed, nowJudged, changed } = change.comparison;
  return (
    <>
      <Names className="down" word="Broke" changes={newFailures} />
      <Names className="up" word="Fixed" changes={fixed} />
      <Names className="soft" word="Now judged" changes={nowJudged} />
      {otherChangesOf(changed).map(({ title, changes }) => (
        <Names key={title} className="soft" word={title} changes={changes} />
      ))}
    </>
  );
}

function Names(props: {
  readonly className: string;
  readonly word: string;
  readonly changes: readonly Change[];
}): JSX.Element | null {
  const { className, word, changes } = props;
  if (changes.length === 0) return null;
  return (
    <div>
      <span class={className}>{word}:</span> {nameSome(changes)}
    </div>
  );
}

/** `Links, Format and 4 more`: the comparison has them all. */
function nameSome(changes: readonly Change[]): string {
  const shown = changes.length > NAMES_MAX ? changes.slice(0, NAMES_MAX - 1) : changes;
  const names = shown.map(({ checkId }) => shortNameOf(checkId)).join(', ');
  return shown.length === changes.length ? names : `${names} and ${changes.length - shown.length} more`;
}
