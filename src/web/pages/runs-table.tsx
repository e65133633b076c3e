import type { JSX } from 'preact';
import type { RunLine } from '../../app/runs/run-lines.js';
import { describeStart } from '../../app/runs/run.js';
import { type Change, failingOtherwise } from '../../scanner/report/comparison.js';
import { titleOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { formatMoment } from '../html/format.js';
import { Icon } from '../html/icons.js';
import { PinHeads, Pins } from '../html/pins.js';
import { type Heading as Column, TableHead } from '../html/table.js';
import { addressOf } from '../server/site-paths.js';

interface RunTableProps {
  readonly siteId: string;
  /** Newest first. */
  readonly lines: readonly RunLine[];
  /** True if two runs can be ticked to compare them. */
  readonly canPick: boolean;
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
export function RunTable({ siteId, lines, canPick, now }: RunTableProps): JSX.Element {
  // The first run changes nothing.
  const hasChanges = lines.some(({ change }) => change !== null);
  const columns = [...(canPick ? [PICK] : []), ...RUN, ...(hasChanges ? CHANGES : []), ['Finished, UTC'] as const];
  return (
    <table class="sheet cards">
      <TableHead columns={columns} />
      <tbody>
        {lines.map((line) => (
          <Row key={line.number} {...{ siteId, line, hasChanges, canPick, now }} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Omit<RunTableProps, 'lines'> {
  readonly line: RunLine;
  /** True if the table has columns for changes. */
  readonly hasChanges: boolean;
}

function Row({ siteId, line, hasChanges, canPick, now }: RowProps): JSX.Element {
  const { number, score, findings, finishedAt, trigger, label, change, isWorse } = line;
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
            {change && <ScoreMove before={change.from.score} now={change.to.score} isWorse={isWorse} />}
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

interface ScoreMoveProps {
  readonly before: number;
  readonly now: number;
  /** True if something broke. A score also falls if more is judged, which is not marked as worse. */
  readonly isWorse: boolean;
}

/** An arrow with the points by which a score changed. */
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

/** What broke and what was fixed by name, the larger part first; other changes are counted. */
function WhatChanged({ line: { change } }: { readonly line: RunLine }): JSX.Element | null {
  if (change === null) return null;
  const { newFailures, fixed, nowJudged, changed } = change.comparison;
  const broke = ['down', 'Broke', newFailures] as const;
  const mended = ['up', 'Fixed', fixed] as const;
  const kinds = [
    ...(fixed.length > newFailures.length ? [mended, broke] : [broke, mended]),
    ['soft', 'Now judged', nowJudged] as const,
    ['soft', 'Fails differently', failingOtherwise(change.comparison)] as const,
  ];
  return (
    <>
      {kinds.map(
        ([className, title, changes]) =>
          changes.length > 0 && (
            <div key={title}>
              <span class={className}>{title}:</span> {nameSome(changes)}
            </div>
          ),
      )}
      {changed.length > 0 && <div class="soft">{changed.length} more changed</div>}
    </>
  );
}

/** More checks than these are counted. */
const NAMES_MAX = 3;

/** `llms.txt links, Sitemap and 4 more` */
function nameSome(changes: readonly Change[]): string {
  const shown = changes.length > NAMES_MAX ? changes.slice(0, NAMES_MAX - 1) : changes;
  const names = shown.map(({ checkId }) => titleOf(checkId)).join(', ');
  return shown.length === changes.length ? names : `${names} and ${changes.length - shown.length} more`;
}
