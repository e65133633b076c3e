import type { ComponentChildren, JSX } from 'preact';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { Pins } from '../html/pins.js';
import { formatMoment } from '../html/format.js';
import type { RunPair } from '../../app/runs/history.js';
import { describeStart } from '../../app/runs/run-label.js';
import { ScoreMove } from './run-table.js';
import { Callout } from '../html/text.js';

/** The pins of both runs one above the other, each with its score. */
export function Versus({ pair, now }: { readonly pair: RunPair; readonly now: Date }): JSX.Element {
  const { from, to, findings } = pair;
  const [before, after] = [pinGroupsOf(findings.before), pinGroupsOf(findings.now)];
  if (isDrawnAlike(pair)) {
    return (
      <div class="versus">
        <Side score={to.score} name={`Runs ${from.number} and ${to.number}`}>
          the same
        </Side>
        <Pins groups={after} size="pins-l" />
      </div>
    );
  }
  return (
    <div class="versus">
      <SideOf run={from} now={now} />
      <Pins groups={before} size="pins-l" />
      <p class="soft">
        <Move pair={pair} />
      </p>
      <SideOf run={to} now={now} />
      <Pins groups={after} size="pins-l" />
    </div>
  );
}

/** Why some of what differs says nothing of the site. */
export function OtherPages({ pair }: { readonly pair: RunPair }): JSX.Element | null {
  const { comparison, from, to, readAlone } = pair;
  if (!comparison.hasOtherPages) return null;
  return (
    <Callout>
      <b>Other pages were sampled.</b> A check of pages that fails now is now judged, not a new failure. One that passes
      now is not fixed unless the same pages were read.
      <ReadAlone number={from.number} paths={readAlone.before} />
      <ReadAlone number={to.number} paths={readAlone.now} />
    </Callout>
  );
}

function ReadAlone({ number, paths }: { readonly number: number; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      {' '}
      Chosen pages that only run {number} read:{' '}
      {paths.map((path, index) => (
        <>
          {index > 0 && ', '}
          <code>{path}</code>
        </>
      ))}
      .
    </>
  );
}

/** Whether one picture shows both runs. */
function isDrawnAlike({ from, to, findings }: RunPair): boolean {
  const describe = (found: RunPair['findings']['now']): string =>
    pinGroupsOf(found)
      .flatMap(({ pins }) => pins.map(({ state }) => state))
      .join();
  return from.score === to.score && describe(findings.before) === describe(findings.now);
}

/** By how many points the score moved; nothing where it did not. */
function Move({ pair: { from, to, comparison } }: { readonly pair: RunPair }): JSX.Element {
  return <ScoreMove before={from.score ?? 0} now={to.score ?? 0} isWorse={comparison.newFailures.length > 0} />;
}

interface SideOfProps {
  readonly run: RunPair['from'];
  readonly now: Date;
}

function SideOf({ run, now }: SideOfProps): JSX.Element {
  const { trigger, label, finishedAt: at } = run;
  return (
    <Side score={run.score} name={`Run ${run.number}`}>
      <time dateTime={at}>{formatMoment(at, now.toISOString())}</time>, {describeStart(trigger, label)}
    </Side>
  );
}

interface SideProps {
  readonly score: number | null;
  readonly name: string;
  readonly children: ComponentChildren;
}

function Side({ score, name, children }: SideProps): JSX.Element {
  return (
    <p>
      <b class="n1">{score}</b>
      <span class="small soft">
        {name}
        <br />
        {children}
      </span>
    </p>
  );
}
