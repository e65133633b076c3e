import type { ComponentChildren, JSX } from 'preact';
import type { Change } from '../../../scanner/report/comparison.js';
import { describePins, pinGroupsOf, shortNameOf } from '../../../scanner/report/pins.js';
import { countOf } from '../../../platform/counts.js';
import { Lock } from '../../../web/kit/components/lock.js';
import { type PinNews, PinPair } from '../../../web/kit/components/pin-pair.js';
import { formatDistance, formatMoment } from '../../../web/kit/format.js';
import type { RunPair } from '../../runs/history.js';
import type { RunSummary } from '../../runs/run-lines.js';
import { describeStart } from '../../runs/words.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { nameRun } from './compare-form.js';
import { ScoreMove } from './run-sheet.js';
import { Callout } from '../../../web/kit/components/text.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';
import { shareOf } from '../../../scanner/report/score.js';

type Run = RunPair['from'];

/** The pins of both runs one above the other, each with its score. */
export function Versus({ pair, now }: { readonly pair: RunPair; readonly now: Date }): JSX.Element {
  const { from, to, findings } = pair;
  const [before, after] = [pinGroupsOf(findings.before), pinGroupsOf(findings.now)];
  if (isDrawnAlike(pair)) {
    return (
      <div class="versus">
        <div class="ab">
          <Side score={to.score} name={`Runs ${from.number} and ${to.number}`}>
            the same
          </Side>
        </div>
        <Lock groups={after} />
      </div>
    );
  }
  const label = `Run ${from.number}: ${describePins(before)}. Run ${to.number}: ${describePins(after)}`;
  return (
    <div class="versus">
      <div class="ab">
        <SideOf run={from} now={now} />
        <span class="soft">
          <Move pair={pair} />
        </span>
        <SideOf run={to} now={now} />
      </div>
      <PinPair before={before} now={after} label={label} newsOf={(checkId) => newsOf(pair, checkId)} />
    </div>
  );
}

/** Why some of what differs says nothing of the site. */
export function OtherPages({ pair }: { readonly pair: RunPair }): JSX.Element | null {
  const { comparison, from, to, readAlone } = pair;
  if (!comparison.hasOtherPages) return null;
  return (
    <Callout>
      <b>Other pages were sampled.</b> What fails on new ones alone is now judged, and not a new failure; what failed
      only on others is not fixed.
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

/** What became of a check, where its pins differ. */
function newsOf({ comparison: { newFailures, fixed } }: RunPair, checkId: string): PinNews {
  const isAmong = (changes: readonly Change[]): boolean => changes.some((change) => change.checkId === checkId);
  const name = shortNameOf(checkId);
  if (isAmong(newFailures)) return { name, words: `${name} broke`, tone: 'is-f' };
  return isAmong(fixed) ? { name, words: `${name} fixed`, tone: 'is-p' } : { name, words: name, tone: 'soft' };
}

/** By how many points the score moved; nothing where it did not. */
function Move({ pair: { from, to, comparison } }: { readonly pair: RunPair }): JSX.Element {
  return <ScoreMove before={from.score ?? 0} now={to.score ?? 0} isWorse={comparison.newFailures.length > 0} />;
}

function SideOf({ run, now }: { readonly run: Run; readonly now: Date }): JSX.Element {
  const at = run.finishedAt ?? run.startedAt;
  return (
    <Side score={run.score} name={`Run ${run.number}`}>
      <time dateTime={at}>{formatMoment(at, now.toISOString())}</time>
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

interface BetweenProps {
  readonly siteId: string;
  readonly pair: RunPair;
  /** The newest first. */
  readonly runs: readonly RunSummary[];
  /** Whether there are runs that changed something, where these two did not. */
  readonly hasChanges: boolean;
}

/** How many other runs are offered to compare with. */
const OTHERS_MAX = 4;

/** What lies between the two runs, and why the score moved. */
export function Between({ siteId, pair, runs, hasChanges }: BetweenProps): JSX.Element {
  const { from, to, findings, labels } = pair;
  const [before, now] = [shareOf(findings.before), shareOf(findings.now)];
  const isSame = before.passed === now.passed && before.applicable === now.applicable;
  const more = now.applicable - before.applicable;
  const others = runs.filter(({ number, score }) => score !== null && number !== to.number && number !== from.number);
  // What came before, as a rule; of the first runs, what came after.
  const near = others.some(({ number }) => number < to.number)
    ? others.filter(({ number }) => number < to.number)
    : others;
  // Of runs in a row with one score, one is enough.
  const offered = near.filter(({ score }, index) => score !== near[index - 1]?.score);
  return (
    <>
      <RailPart title="Between the two">
        <Facts
          facts={[
            ['Score', from.score === to.score ? 'the same' : <Move pair={pair} />],
            ...(isSame
              ? [['Both runs', shareWords(now)] as const]
              : [[`Run ${from.number}`, shareWords(before)] as const, [`Run ${to.number}`, shareWords(now)] as const]),
            ['Time between', describeTime(from, to)],
            [`Run ${from.number} started`, describeStart(from.trigger, labels.before)],
            [`Run ${to.number} started`, describeStart(to.trigger, labels.now)],
          ]}
        />
        {hasChanges && (
          <p class="small">
            <a href={addressOf.runs(siteId, { show: 'changed' })}>See the runs that changed something</a>
          </p>
        )}
        {more !== 0 && (
          <p class="small soft">
            {countOf(Math.abs(more), 'check')} {more > 0 ? 'more' : 'fewer'}{' '}
            {Math.abs(more) === 1 ? 'applies' : 'apply'}.
          </p>
        )}
      </RailPart>
      {offered.length > 0 && (
        <RailPart title={`Compare run ${to.number} with`}>
          <ul class="plain small">
            {offered.slice(0, OTHERS_MAX).map((run) => (
              <li key={run.number} class="row apart">
                <a href={addressOf.comparison(siteId, ...inOrder(run.number, to.number))}>{nameRun(run, runs)}</a>
                <b class="num">{run.score}</b>
              </li>
            ))}
          </ul>
        </RailPart>
      )}
    </>
  );
}

function inOrder(one: number, other: number): readonly [earlier: number, later: number] {
  return one < other ? [one, other] : [other, one];
}

function describeTime(from: Run, to: Run): string {
  const distanceMs = Math.abs(Date.parse(to.startedAt) - Date.parse(from.startedAt));
  return formatDistance(distanceMs / 1000) ?? 'less than a minute';
}

function shareWords({ passed, applicable }: ReturnType<typeof shareOf>): string {
  return `${passed} of ${applicable} passed`;
}
