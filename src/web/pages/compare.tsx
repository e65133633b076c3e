import type { JSX } from 'preact';
import type { RunPair } from '../../app/runs/history.js';
import { SINCE_RUNS_MAX } from '../../app/runs/run-lines.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import { describeLabel, describeStart } from '../../app/runs/run.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Change } from '../../scanner/report/comparison.js';
import { failureOf, headlineOf, rankOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { passedHeadline } from '../html/finding-view.js';
import { Field } from '../html/form.js';
import { formatMoment } from '../html/format.js';
import { Mark } from '../html/icons.js';
import { cutText, Group } from '../html/page-header.js';
import { PIN_WORDS, Pins } from '../html/pins.js';
import { Callout } from '../html/text.js';
import { queriesOf, queryOf, type RouteContext } from '../server/context.js';
import type { Part } from '../server/page-part.js';
import { loadOwnSite, parseNumber } from '../server/requested-site.js';
import { addressOf } from '../server/site-paths.js';
import { newsOf, ScoreMove } from './changes.js';
import { SiteHeader } from './site-header.js';

/** Number of runs that the form offers. */
const OFFERED_MAX = 100;

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, deps) => {
  const { history, clock, sendPage } = deps;
  router.get(addressOf.compare(':siteId'), async (ctx) => {
    const site = await loadOwnSite(ctx, deps);
    const { id, hostname, latestNumber } = site;
    const { from, to, known, wrong } = readChoice(ctx, latestNumber);
    const runs = await history.summaries(site, OFFERED_MAX);
    const options = optionsOf(runs, known, clock.now());
    const pair = wrong === null ? await history.compare(site, { from: Number(from), to: Number(to) }) : null;
    const title = wrong === null ? `Run ${from} compared with run ${to}, ${hostname}` : `Compare runs, ${hostname}`;
    sendPage(ctx, {
      title: wrong ? `Error: ${title}` : title,
      status: wrong ? 422 : 200,
      header: (
        <SiteHeader
          site={site}
          title={pair ? describeOutcome(pair) : 'Compare two runs'}
          at={addressOf.runs(id)}
          below={{ crumbs: [[addressOf.runs(id), 'Runs']], here: 'Compare' }}
        >
          {latestNumber > 1 && (
            <form action={addressOf.compare(id)} class="row pair" novalidate>
              <Field
                name="from"
                label="Compare run"
                value={from}
                options={options}
                errors={wrong ? { from: wrong } : null}
              />
              <Field name="to" label="with run" value={to} options={options} />
              <button type="submit" class="quiet">
                Compare
              </button>
            </form>
          )}
        </SiteHeader>
      ),
      main: (
        <div class="w over-text">
          {latestNumber < 2 && <p class="sec">This site has no two runs to compare yet.</p>}
          {wrong === null && !pair && (
            <Callout result="UNDETERMINED">
              <b>One of the two runs has no score, nor has any before it.</b> Choose another run.
            </Callout>
          )}
          {pair && <Differences siteId={id} pair={pair} asked={Number(from)} now={clock.now()} />}
        </div>
      ),
    });
  });
};

/**
 * Reads `from` and `to`, or two ticked runs of the list, of which the earlier comes first. `known` are those of
 * them that exist. `wrong` is null if they can be compared, and empty if none was chosen yet.
 */
function readChoice(ctx: RouteContext, latest: number) {
  const ticked = queriesOf(ctx, 'run').sort((one, other) => Number(one) - Number(other));
  const from = (ticked.length > 1 ? ticked[0] : queryOf(ctx, 'from'))?.trim() ?? '';
  const to = (ticked.at(-1) ?? queryOf(ctx, 'to')).trim();
  const isKnown = (text: string): boolean => (parseNumber(text) ?? Infinity) <= latest;
  const known = [...new Set([from, to])].filter(isKnown);
  const canCompare = known.length === 2 && ticked.length < 3;
  const isChoosing = ctx.querystring === '' && latest > 1;
  const wrong =
    ticked.length > 2
      ? `You picked ${ticked.length} runs. Choose two of them here.`
      : ticked.length === 1 && isKnown(to)
        ? `You picked run ${to} alone. Choose the run to compare it with.`
        : `Choose two different runs from 1 to ${latest}.`;
  return { from, to, known, wrong: canCompare ? null : isChoosing ? '' : wrong };
}

/** Longer names of a run are cut in a choice. */
const NAME_CHARS_MAX = 20;

/** The runs to choose from, such as `Run 13 · score 82 · v2.3.1 · 18 Nov, 06:12`, and those that are chosen. */
function optionsOf(
  runs: readonly RunSummary[],
  chosen: readonly string[],
  now: Date,
): [value: string, label: string][] {
  const latest = runs.map(({ number, score, label, finishedAt }): [string, string] => {
    const words = [
      `Run ${number}`,
      score === null ? 'no score' : `score ${score}`,
      ...(label ? [cutText(describeLabel(label), NAME_CHARS_MAX)] : []),
      formatMoment(finishedAt, now.toISOString()),
    ];
    return [String(number), words.join(' · ')];
  });
  const older = chosen.filter((number) => !latest.some(([value]) => value === number));
  return [['', 'Choose a run'], ...latest, ...older.map((number): [string, string] => [number, `Run ${number}`])];
}

/** `2 new failures, none fixed` */
function describeOutcome({ from, to, comparison }: RunPair): string {
  const { newFailures, fixed, changed, notComparable } = comparison;
  const [first, ...others] = newsOf(comparison);
  const isNoneFixed = newFailures.length > 0 && fixed.length === 0;
  if (first !== undefined) return [first, ...(isNoneFixed ? ['none fixed'] : []), ...others].join(', ');
  const isUnchanged = from.score === to.score && changed.length + notComparable.length === 0;
  return isUnchanged ? 'Nothing has changed' : 'Nothing broke, nothing was fixed';
}

interface PairProps {
  readonly siteId: string;
  readonly pair: RunPair;
}

interface DifferencesProps extends PairProps {
  /** The run asked for; an earlier one replaces it if it has no score. */
  readonly asked: number;
  readonly now: Date;
}

/** Both runs, then what changed, then what still fails. */
function Differences({ siteId, pair, asked, now }: DifferencesProps): JSX.Element {
  const { from, to, findings, comparison } = pair;
  const { newFailures, fixed, nowJudged, changed, unchanged, notComparable } = comparison;
  const passed = unchanged.filter((change) => change.now === 'PASS').length;
  const groups: readonly (readonly [title: string, meaning: string, changes: readonly Change[]])[] = [
    ['Broke', 'fails now, passed before', newFailures],
    ['Fixed', 'passes now, failed before', fixed],
    ['Now judged', 'fails, but was not judged before', nowJudged],
    ...[...Map.groupBy(changed, titleOfChange)].map(([title, changes]) => [title, '', changes] as const),
    ['Still failing', 'in both runs', unchanged.filter((change) => change.now === 'FAIL')],
  ];
  return (
    <>
      {from.number !== asked && (
        <Callout result="UNDETERMINED">
          <b>Run {asked} has no score.</b> Run {from.number}, the last before it with a score, is compared instead.
        </Callout>
      )}
      {comparison.hasOtherPages && (
        <Callout>
          <b>Other pages were sampled.</b> A check of pages that fails now is now judged, not a new failure. One that
          passes now is not fixed unless the same pages were read.
        </Callout>
      )}
      <div class="versus">
        <Side run={from} now={now} />
        <Pins groups={pinGroupsOf(findings.before)} size="pins-l" />
        <p class="soft">
          <ScoreMove before={from.score} now={to.score} isWorse={newFailures.length > 0} />
        </p>
        <Side run={to} now={now} />
        <Pins groups={pinGroupsOf(findings.now)} size="pins-l" />
      </div>
      {groups.map(
        ([title, meaning, changes]) =>
          changes.length > 0 && (
            <Group key={title} title={`${title} ${changes.length}`} meaning={meaning}>
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
      {passed > 0 && <p class="soft sec">{countOf(passed, 'check')} passed in both runs.</p>}
    </>
  );
}

/** Names a change that neither broke nor fixed anything. */
function titleOfChange({ before, now }: Change): string {
  if (now === 'NOT_APPLICABLE') return 'Does not apply now';
  if (now === 'UNDETERMINED') return 'Undetermined now';
  // Else it would be fixed: no page was read that showed the failure.
  if (before === 'FAIL') return 'Passes on other pages';
  return before === 'NOT_APPLICABLE' ? 'Applies now' : 'Now judged';
}

function Side({ run, now }: { readonly run: RunPair['from']; readonly now: Date }): JSX.Element {
  const { score, number, trigger, label, finishedAt: at } = run;
  return (
    <p>
      <b class="n1">{score}</b>
      <span class="small soft">
        Run {number}
        <br />
        <time dateTime={at}>{formatMoment(at, now.toISOString())}</time>, {describeStart(trigger, label)}
      </span>
    </p>
  );
}

function ChangeItem({ change, siteId, pair }: PairProps & { readonly change: Change }): JSX.Element {
  const { checkId, before, now, errorBefore } = change;
  const failure = failureOf(change);
  const first = pair.since.get(checkId);
  const since = first === undefined ? `for more than ${SINCE_RUNS_MAX} runs` : `since run ${first}`;
  const sides = [
    [pair.from.number, pair.findings.before],
    [pair.to.number, pair.findings.now],
  ] as const;
  return (
    <li>
      <Mark result={now} isDecorative />
      <span>
        <a href={`${addressOf.run(siteId, pair.to.number)}#${checkId}`}>
          {now === 'PASS' ? passedHeadline(change) : headlineOf(change)}
        </a>{' '}
        <span class="soft small">
          {[checkId, failure && SEVERITIES[failure.severity].word, before === now && since].filter(Boolean).join(', ')}
          {errorBefore && `. Before, it failed differently: ${headlineOf({ ...change, errorType: errorBefore })}.`}
          {before !== now &&
            sides.map(([number, findings]) => {
              const { result = 'UNDETERMINED', detail } = findings.find((one) => one.checkId === checkId) ?? {};
              const words = `Run ${number}: ${PIN_WORDS[result]}`;
              return (
                <>
                  <br />
                  {result === 'FAIL' ? (
                    <a href={addressOf.evidence(siteId, number, checkId)}>{words}</a>
                  ) : (
                    <b>{words}</b>
                  )}{' '}
                  {detail}
                </>
              );
            })}
        </span>
      </span>
    </li>
  );
}
