import type { ComponentChildren } from 'preact';
import { findAccessChanges } from '../../app/alerts/alert.js';
import { describeAccess } from '../../app/alerts/alert-text.js';
import type { RunPair } from '../../app/runs/history.js';
import { type RunChanges, SINCE_RUNS_MAX } from '../../app/runs/run-lines.js';
import { describeStart } from '../../app/runs/run.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { type Change, type Comparison, changedFailures } from '../../scanner/report/comparison.js';
import { failureOf, headlineOf, rankOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { passedHeadline } from '../html/finding-view.js';
import { Callout, Mark, Moment } from '../html/text.js';
import { Group } from '../html/sections.js';
import { PIN_WORDS, PinGroups } from '../html/pins.js';
import { loadOwnSite, parseNumber, queriesOf, queryOf, sendPage } from '../server/routes.js';
import type { AddRoutes, WebContext } from '../server/page.js';
import { addressOf } from '../server/paths.js';
import { SiteHeader } from '../html/page-header.js';

export const addComparePage: AddRoutes = (router, deps) => {
  const { history } = deps;
  router.get(addressOf.compare(':siteId'), async (ctx) => {
    const site = await loadOwnSite(ctx);
    const { id, hostname, latestNumber } = site;
    const chosen = chosenRuns(ctx, latestNumber);
    const pair = chosen && (await history.compare(site, chosen));
    const isLaterUnscored = chosen && !pair && (await history.run(site, chosen.to)).runsUpToThis[0]?.score === null;
    sendPage(ctx, {
      title: chosen
        ? `Run ${chosen.from} compared with run ${chosen.to}, ${hostname}`
        : `Error: Compare runs, ${hostname}`,
      status: chosen ? 200 : 422,
      header: (
        <SiteHeader
          site={site}
          title={pair ? describeOutcome(pair) : 'Compare two runs'}
          at={addressOf.runs(id)}
          below={{ crumbs: [[addressOf.runs(id), 'Runs']], here: 'Compare' }}
        />
      ),
      main: (
        <div class="w over-text">
          {!chosen && (
            <Callout result="FAIL">
              <b>Choose two runs.</b> <a href={addressOf.runs(id)}>Tick them in the list of runs</a>.
            </Callout>
          )}
          {chosen && !pair && (
            <Callout result="UNDETERMINED">
              <b>Run {isLaterUnscored ? chosen.to : chosen.from} has no score to compare.</b>{' '}
              <a href={addressOf.runs(id)}>Choose another run</a>.
            </Callout>
          )}
          {chosen && pair && <Differences siteId={id} pair={pair} requested={chosen.from} />}
        </div>
      ),
    });
  });
};

/** Returns the runs `from` and `to`, or the two ticked in the list, the earlier first. Null unless there are two. */
function chosenRuns(ctx: WebContext, latest: number): { readonly from: number; readonly to: number } | null {
  const ticked = queriesOf(ctx, 'run').map(parseNumber);
  ticked.sort((one, other) => (one ?? 0) - (other ?? 0));
  const numbers = ticked.length > 0 ? ticked : ['from', 'to'].map((name) => parseNumber(queryOf(ctx, name).trim()));
  const [from, to] = numbers.flatMap((number) => (number !== null && number <= latest ? [number] : []));
  return numbers.length !== 2 || from === undefined || to === undefined || from === to ? null : { from, to };
}

/** Names the assistants that can read more or less of the site in the later run. */
export function describeAssistants({ from, to }: Omit<RunChanges, 'comparison'>): readonly string[] {
  return describeAccess(findAccessChanges(to.answer, [from], false), 'the site');
}

/** `2 new failures, none fixed` */
function describeOutcome(pair: RunPair): string {
  const { from, to, comparison } = pair;
  const { newFailures, fixed, changed, notComparable } = comparison;
  const [first, ...others] = describeChanges(comparison);
  const isNoneFixed = newFailures.length > 0 && fixed.length === 0;
  if (first !== undefined) return [first, ...(isNoneFixed ? ['none fixed'] : []), ...others].join(', ');
  const [accessChange] = describeAssistants(pair);
  if (accessChange !== undefined) return accessChange;
  const isUnchanged = from.score === to.score && changed.length + notComparable.length === 0;
  return isUnchanged ? 'Nothing has changed' : 'Nothing broke, nothing was fixed';
}

/** Counts the changes between two runs: `1 new failure`, `2 fixed`. */
export function describeChanges(comparison: Comparison): readonly string[] {
  const { newFailures, fixed, nowJudged } = comparison;
  const failingDifferently = changedFailures(comparison);
  const kinds = [
    [newFailures, countOf(newFailures.length, 'new failure')],
    [fixed, `${fixed.length} fixed`],
    [nowJudged, `${nowJudged.length} newly checked`],
    [failingDifferently, `${failingDifferently.length} failing differently`],
  ] as const;
  return kinds.flatMap(([changes, words]) => (changes.length > 0 ? [words] : []));
}

interface ScoreMoveProps {
  readonly points: number;
  /** True if a check broke. A score also falls if more checks apply, but then nothing got worse. */
  readonly isWorse: boolean;
}

/** An arrow with the points by which a score changed. */
export function ScoreMove({ points, isWorse }: ScoreMoveProps) {
  if (points === 0) return null;
  const isUp = points > 0;
  return (
    <span class={`move ${isUp ? 'up' : isWorse ? 'down' : 'soft'}`}>
      <span class="hide">{isUp ? 'up ' : 'down '}</span>
      {Math.abs(points)}
    </span>
  );
}

interface DifferencesProps {
  readonly siteId: string;
  readonly pair: RunPair;
  /** The run that `pair.from` replaces if it has no score. */
  readonly requested: number;
}

function Differences({ siteId, pair, requested }: DifferencesProps) {
  const { from, to, findings, comparison } = pair;
  const { newFailures, fixed, nowJudged, changed, unchanged, notComparable } = comparison;
  const passed = unchanged.filter((change) => change.now === 'PASS').length;
  const inapplicable = unchanged.filter((change) => change.now === 'NOT_APPLICABLE').length;
  const groups: readonly (readonly [title: string, meaning: string, changes: readonly Change[]])[] = [
    ['Broke', 'fails now, passed before', newFailures],
    ['Fixed', 'passes now, failed before', fixed],
    ['Newly checked', 'fails, without an earlier result', nowJudged],
    ...[...Map.groupBy(changed, kindOfChange)].map(([kind, changes]) => [kind, OTHER_CHANGES[kind], changes] as const),
    ['Still failing', 'in both runs', unchanged.filter((change) => change.now === 'FAIL')],
  ];
  return (
    <>
      {from.number !== requested && (
        <Callout result="UNDETERMINED">
          <b>Run {requested} has no score.</b> Run {from.number}, the last before it with a score, is compared instead.
        </Callout>
      )}
      {comparison.hasOtherPages && (
        <Callout>
          <b>Other pages were sampled.</b> If a check of these pages fails now, it counts as newly checked, not as a new
          failure. If it passes now, it counts as fixed only if the same pages were read.
        </Callout>
      )}
      <div class="two-runs">
        <RunPins siteId={siteId} run={from} findings={findings.before} />
        <RunPins siteId={siteId} run={to} findings={findings.now}>
          <ScoreMove points={to.score - from.score} isWorse={newFailures.length > 0} />
        </RunPins>
      </div>
      {describeAssistants(pair).map((sentence) => (
        <p key={sentence}>{sentence}.</p>
      ))}
      {groups.map(
        ([title, meaning, changes]) =>
          changes.length > 0 && (
            <Group key={title} title={`${title} ${countChanges(pair, changes)}`} meaning={meaning}>
              <ul class="items">
                {changes
                  .toSorted((one, other) => rankOf(one) - rankOf(other))
                  .map((change) => (
                    <ChangeItem key={change.checkId} {...{ change, siteId, pair }} />
                  ))}
              </ul>
            </Group>
          ),
      )}
      {notComparable.length > 0 && (
        <Group title="Not comparable" meaning="only one of the runs has it">
          <p>{notComparable.join(', ')}</p>
        </Group>
      )}
      <p class="soft sec">
        {countOf(passed, 'check')} passed in both runs{inapplicable > 0 && `, ${inapplicable} applied in neither`}.
      </p>
    </>
  );
}

function isScored({ findings }: RunPair, { checkId }: Change): boolean {
  return findings.now.find((finding) => finding.checkId === checkId)?.scored ?? true;
}

/** `3`, or `3, 1 of them not scored`. */
function countChanges(pair: RunPair, changes: readonly Change[]): string {
  const unscored = changes.filter((change) => change.now === 'FAIL' && !isScored(pair, change)).length;
  return `${changes.length}${unscored > 0 ? `, ${unscored} of them not scored` : ''}`;
}

/** Changes that neither broke nor fixed anything, with their meaning. */
const OTHER_CHANGES = {
  'Does not apply now': 'the site has nothing that it could check',
  'Undetermined now': 'the later run could not tell',
  'Passes on other pages': 'the pages that failed were not read again',
  'Applies now': 'passes now, did not apply before',
  'Newly checked': 'passes, without an earlier result',
} as const;

function kindOfChange({ before, now }: Change): keyof typeof OTHER_CHANGES {
  if (now === 'NOT_APPLICABLE') return 'Does not apply now';
  if (now === 'UNDETERMINED') return 'Undetermined now';
  // Not fixed: no page that failed was read again.
  if (before === 'FAIL') return 'Passes on other pages';
  return before === 'NOT_APPLICABLE' ? 'Applies now' : 'Newly checked';
}

interface RunPinsProps {
  readonly siteId: string;
  readonly run: RunPair['from'];
  readonly findings: RunPair['findings']['now'];
  /** Next to the score. */
  readonly children?: ComponentChildren;
}

/** The score and the pins of one of the two runs. */
function RunPins({ siteId, run, findings, children }: RunPinsProps) {
  const { score, number, trigger, label, finishedAt: at } = run;
  return (
    <div>
      <p>
        <b class="n1">{score}</b> {children}
        <span class="small soft">
          <a href={addressOf.run(siteId, number)}>Run {number}</a>
          <br />
          <Moment at={at} />, {describeStart(trigger, label)}
        </span>
      </p>
      <PinGroups groups={pinGroupsOf(findings)} />
    </div>
  );
}

function ChangeItem({ change, siteId, pair }: Omit<DifferencesProps, 'requested'> & { readonly change: Change }) {
  const { checkId, before, now, errorBefore } = change;
  const severity = now === 'FAIL' ? failureOf(change)?.severity : undefined;
  const first = pair.since.get(checkId);
  const since = first === undefined ? `for more than ${SINCE_RUNS_MAX} runs` : `since run ${first}`;
  const sides = [
    [pair.from.number, pair.findings.before],
    [pair.to.number, pair.findings.now],
  ] as const;
  return (
    <li>
      <Mark result={now} scored={isScored(pair, change)} isDecorative />
      <span>
        <a href={`${addressOf.run(siteId, pair.to.number)}#${checkId}`}>
          {now === 'PASS' ? passedHeadline(change) : headlineOf(change)}
        </a>{' '}
        <span class="soft small">
          <span class="nb">{checkId}</span>
          {[severity && SEVERITIES[severity].word, before === now && since].map((words) => words && `, ${words}`)}
          {errorBefore && `. Before, it failed differently: ${headlineOf({ ...change, errorType: errorBefore })}.`}
          {before !== now &&
            sides.map(([number, findings]) => {
              const { result = 'UNDETERMINED', detail } = findings.find((one) => one.checkId === checkId) ?? {};
              const words = `Run ${number}: ${PIN_WORDS[result]}`;
              const href = addressOf.evidence(siteId, number, checkId);
              return (
                <>
                  <br />
                  {result === 'FAIL' ? <a href={href}>{words}</a> : <b>{words}</b>} {detail}
                </>
              );
            })}
        </span>
      </span>
    </li>
  );
}
