import type { JSX } from 'preact';
import type { RunPair } from '../../app/runs/history.js';
import { describeStart } from '../../app/runs/run.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { type Change, failingOtherwise } from '../../scanner/report/comparison.js';
import { failureOf, headlineOf, rankOf } from '../../scanner/report/failures.js';
import { pinGroupsOf } from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { formatMoment } from '../html/format.js';
import { Mark } from '../html/icons.js';
import { Group } from '../html/page-header.js';
import { PIN_WORDS, Pins } from '../html/pins.js';
import { Callout } from '../html/text.js';
import type { Page } from '../server/page.js';
import type { Part, PartDeps } from '../server/page-part.js';
import { loadOwnSite } from '../server/requested-site.js';
import { addressOf } from '../server/site-paths.js';
import { describeSince, newsOf, otherChangesOf } from './changes.js';
import { ScoreMove } from './runs-table.js';
import { SiteHeader } from './site-header.js';
import { type Choice, readChoice, RunSelect } from './compare-form.js';

/** What changed from one run of a site to another. */
export const addComparePage: Part = (router, deps) => {
  router.get(addressOf.compare(':siteId'), async (ctx) => {
    const site = await loadOwnSite(ctx, deps);
    deps.sendPage(ctx, await comparePage(deps, site, readChoice(ctx, site)));
  });
};

/** Number of runs that the form offers. */
const OFFERED_MAX = 100;

async function comparePage({ history, clock }: PartDeps, site: OwnSite, choice: Choice): Promise<Page> {
  const { id: siteId, hostname, latestNumber } = site;
  const { from, to, errors } = choice;
  const runs = await history.summaries(site, OFFERED_MAX);
  const pair = errors ? null : await history.compare(site, { from: Number(from), to: Number(to) });
  const title = errors ? `Compare runs, ${hostname}` : `Run ${from} compared with run ${to}, ${hostname}`;
  const isWrong = errors !== null && Object.keys(errors).length > 0;
  return {
    title: isWrong ? `Error: ${title}` : title,
    status: isWrong ? 422 : 200,
    header: (
      <SiteHeader
        site={site}
        title={pair ? describeOutcome(pair) : errors ? 'Compare two runs' : 'Nothing to compare'}
        at={addressOf.runs(siteId)}
        below={{ crumbs: [[addressOf.runs(siteId), 'Runs']], here: 'Compare' }}
      >
        {latestNumber > 1 && (
          <form action={addressOf.compare(siteId)} class="row pair" novalidate>
            <RunSelect name="from" label="Compare run" value={from} runs={runs} message={errors?.from} />
            <RunSelect name="to" label="with run" value={to} runs={runs} message={errors?.to} />
            <button type="submit" class="quiet">
              Compare
            </button>
          </form>
        )}
      </SiteHeader>
    ),
    main: (
      <div class="w over-text">
        {errors?.[''] !== undefined && <p class="sec">{errors['']}</p>}
        {!errors && !pair && <NoScore {...{ from, to, runs }} />}
        {pair && <Differences {...{ siteId, pair }} asked={Number(from)} now={clock.now()} />}
      </div>
    ),
  };
}

function NoScore({ from, to, runs }: Pick<Choice, 'from' | 'to'> & { readonly runs: readonly RunSummary[] }) {
  const isLater = runs.some(({ number, score }) => String(number) === to && score === null);
  return (
    <Callout result="UNDETERMINED">
      <b>{isLater ? `Run ${to} has no score.` : `Run ${from} has no score, and no run before it has one.`}</b> Choose
      another run.
    </Callout>
  );
}

/** `2 new failures, none fixed` */
function describeOutcome(pair: RunPair): string {
  const { newFailures, fixed } = pair.comparison;
  const [first, ...others] = newsOf(pair.comparison);
  const isNoneFixed = newFailures.length > 0 && fixed.length === 0;
  if (first !== undefined) return [first, ...(isNoneFixed ? ['none fixed'] : []), ...others].join(', ');
  return isUnchanged(pair) ? 'Nothing has changed' : 'Nothing broke, nothing was fixed';
}

function isUnchanged({ from, to, comparison }: RunPair): boolean {
  const { newFailures, fixed, nowJudged, changed, notComparable } = comparison;
  const changes = [newFailures, fixed, nowJudged, changed, notComparable, failingOtherwise(comparison)];
  return from.score === to.score && changes.every(({ length }) => length === 0);
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
  const failing = unchanged.filter((change) => change.now === 'FAIL');
  const passed = unchanged.filter((change) => change.now === 'PASS').length;
  const of = { siteId, pair };
  return (
    <>
      {from.number !== asked && (
        <Callout result="UNDETERMINED">
          <b>Run {asked} has no score.</b> Run {from.number}, the last before it with a score, is compared instead.
        </Callout>
      )}
      {comparison.hasOtherPages && <OtherPages pair={pair} />}
      <div class="versus">
        <Side run={from} now={now} />
        <Pins groups={pinGroupsOf(findings.before)} size="pins-l" />
        <p class="soft">
          <ScoreMove before={from.score} now={to.score} isWorse={newFailures.length > 0} />
        </p>
        <Side run={to} now={now} />
        <Pins groups={pinGroupsOf(findings.now)} size="pins-l" />
      </div>
      <Changes {...of} title="Broke" meaning="fails now, passed before" changes={newFailures} />
      <Changes {...of} title="Fixed" meaning="passes now, failed before" changes={fixed} />
      <Changes {...of} title="Now judged" meaning="fails, but was not judged before" changes={nowJudged} />
      {otherChangesOf(changed).map(({ title, changes }) => (
        <Changes key={title} {...of} title={title} changes={changes} />
      ))}
      {notComparable.length > 0 && (
        <Group title="Not comparable" meaning="only one of the runs has it">
          <p>{notComparable.join(', ')}</p>
        </Group>
      )}
      <Changes {...of} title="Still failing" meaning="in both runs" changes={failing} />
      {passed > 0 && <p class="soft sec">{countOf(passed, 'check')} passed in both runs.</p>}
    </>
  );
}

function OtherPages({ pair: { from, to, readAlone } }: { readonly pair: RunPair }): JSX.Element {
  const describe = (number: number, paths: readonly string[]): string =>
    paths.length === 0 ? '' : ` Chosen pages that only run ${number} read: ${paths.join(', ')}.`;
  return (
    <Callout>
      <b>Other pages were sampled.</b> A check of pages that fails now is now judged, not a new failure. One that passes
      now is not fixed unless the same pages were read.{describe(from.number, readAlone.before)}
      {describe(to.number, readAlone.now)}
    </Callout>
  );
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

interface ChangesProps extends PairProps {
  readonly title: string;
  readonly meaning?: string;
  readonly changes: readonly Change[];
}

/** Checks whose result changed or that still fail, the most severe first. */
function Changes({ title, meaning, changes, siteId, pair }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  const counted = (
    <>
      {title} <span class="num">{changes.length}</span>
    </>
  );
  return (
    <Group title={counted} meaning={meaning}>
      <ul class="items">
        {changes
          .toSorted((one, other) => rankOf(one) - rankOf(other))
          .map((change) => (
            <ChangeItem key={change.checkId} {...{ change, siteId, pair }} />
          ))}
      </ul>
    </Group>
  );
}

function ChangeItem({ change, siteId, pair }: PairProps & { readonly change: Change }): JSX.Element {
  const { checkId, before, now, errorBefore } = change;
  const failure = failureOf(change);
  const since = before === now ? describeSince(pair.since.get(checkId)) : null;
  return (
    <li>
      <Mark result={now} isDecorative />
      <span>
        <a href={`${addressOf.run(siteId, pair.to.number)}#${checkId}`}>{headlineOf(change)}</a>{' '}
        <span class="soft small">
          {[checkId, failure && SEVERITIES[failure.severity].word, since].filter(Boolean).join(', ')}
        </span>
        {before !== now && (
          <>
            <Found {...{ change, siteId, pair }} side="before" />
            <Found {...{ change, siteId, pair }} side="now" />
          </>
        )}
        {errorBefore && (
          <span class="soft small">
            {' '}
            Before, it failed differently: {headlineOf({ ...change, errorType: errorBefore })}.
          </span>
        )}
      </span>
    </li>
  );
}

interface FoundProps extends PairProps {
  readonly change: Change;
  readonly side: 'before' | 'now';
}

/** What one of the two runs found. */
function Found({ siteId, pair, change, side }: FoundProps): JSX.Element {
  const { number } = side === 'now' ? pair.to : pair.from;
  const found = pair.findings[side].find(({ checkId }) => checkId === change.checkId);
  const result = found?.result ?? change[side];
  return (
    <span class="soft small">
      <br />
      {found?.result === 'FAIL' ? (
        <a href={addressOf.evidence(siteId, number, change.checkId)}>
          Run {number}: {PIN_WORDS.FAIL}
        </a>
      ) : (
        <b>
          Run {number}: {PIN_WORDS[result]}
        </b>
      )}{' '}
      {found?.detail}
      {result !== change[side] && ` Before that: ${PIN_WORDS[change[side]]}.`}
    </span>
  );
}
