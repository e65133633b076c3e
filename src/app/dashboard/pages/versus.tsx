import type { JSX } from 'preact';
import { describePins, type PinGroup, pinGroupsOf, shortNameOf } from '../../../scanner/report/pins.js';
import { countOf } from '../../../platform/counts.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { PinPair } from '../../../web/kit/components/pin-pair.js';
import { formatDistance, formatMoment } from '../../../web/kit/format.js';
import type { RunPair } from '../../runs/history.js';
import type { RunSummary } from '../../runs/run-lines.js';
import { TRIGGER_WORDS } from '../../runs/words.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { describeRun } from './compare-form.js';
import { ScoreMove } from './run-sheet.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';
import { shareOf } from '../../../scanner/report/score.js';

type Run = RunPair['from'];

/** The pins of both runs one above the other, each with its score. */
export function Versus({ pair, now }: { readonly pair: RunPair; readonly now: Date }): JSX.Element {
  const { from, to, findings } = pair;
  const [before, after] = [pinGroupsOf(findings.before), pinGroupsOf(findings.now)];
  if (describeStates(before) === describeStates(after) && from.score === to.score) {
    return (
      <div class="versus">
        <div class="ab">
          <Side run={to} now={now} />
        </div>
        <Pins groups={after} size="pins-l" />
      </div>
    );
  }
  const label = `Run ${from.number}: ${describePins(before)}. Run ${to.number}: ${describePins(after)}`;
  return (
    <div class="versus">
      <div class="ab">
        <Side run={from} now={now} />
        <Side run={to} now={now} />
      </div>
      <PinPair before={before} now={after} label={label} nameOf={shortNameOf} />
    </div>
  );
}

/** Two of the same are drawn alike. */
function describeStates(groups: readonly PinGroup[]): string {
  return groups.flatMap(({ pins }) => pins.map(({ state }) => state)).join();
}

function Side({ run, now }: { readonly run: Run; readonly now: Date }): JSX.Element {
  const at = run.finishedAt ?? run.startedAt;
  return (
    <p>
      <b class="n1">{run.score}</b>
      <span class="small soft">
        Run {run.number}
        <br />
        <time dateTime={at}>{formatMoment(at, now.toISOString())}</time>
      </span>
    </p>
  );
}

interface BetweenProps {
  readonly siteId: string;
  readonly pair: RunPair;
  /** The newest first. */
  readonly runs: readonly RunSummary[];
}

/** How many other runs are offered to compare with. */
const OTHERS_MAX = 4;

/** What lies between the two runs, and why the score moved. */
export function Between({ siteId, pair, runs }: BetweenProps): JSX.Element {
  const { from, to, comparison } = pair;
  const others = runs.filter(({ number, score }) => score !== null && number < to.number && number !== from.number);
  const move = { before: from.score ?? 0, now: to.score ?? 0, isWorse: comparison.newFailures.length > 0 };
  return (
    <>
      <RailPart title="Between the two">
        <Facts
          facts={[
            ['Score', from.score === to.score ? 'the same' : <ScoreMove {...move} />],
            ['Time', describeTime(from, to)],
            [`Run ${to.number} started`, TRIGGER_WORDS[to.trigger]],
          ]}
        />
        <p class="small soft more">{describeWhy(pair)}</p>
      </RailPart>
      {others.length > 0 && (
        <RailPart title={`Compare run ${to.number} with`}>
          <ul class="plain small runs">
            {others.slice(0, OTHERS_MAX).map((run) => (
              <li key={run.number}>
                <a href={addressOf.comparison(siteId, run.number, to.number)}>{describeRun(run, runs)}</a>
              </li>
            ))}
          </ul>
        </RailPart>
      )}
    </>
  );
}

function describeTime(from: Run, to: Run): string {
  const distanceMs = Math.abs(Date.parse(to.startedAt) - Date.parse(from.startedAt));
  return formatDistance(distanceMs / 1000) ?? 'less than a minute';
}

/** The score is a share, so it moves with what passed and with what applies. */
function describeWhy({ from, to, findings }: RunPair): string {
  const [before, now] = [shareOf(findings.before), shareOf(findings.now)];
  const isSame = before.passed === now.passed && before.applicable === now.applicable;
  if (isSame) return `${shareWords(now)} in both runs.`;
  const why = `Run ${from.number}: ${shareWords(before)}. Run ${to.number}: ${shareWords(now)}.`;
  const more = now.applicable - before.applicable;
  if (more === 0) return why;
  return `${why} ${countOf(Math.abs(more), 'check')} ${more > 0 ? 'more' : 'fewer'} ${Math.abs(more) === 1 ? 'applies' : 'apply'}.`;
}

function shareWords({ passed, applicable }: ReturnType<typeof shareOf>): string {
  return `${passed} of ${countOf(applicable, 'check')} that apply passed`;
}
