import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { type Comparison, failingOtherwise } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { LaterRuns, RunReport } from '../../app/runs/history.js';
import type { RunChanges } from '../../app/runs/run-lines.js';
import { AssistantAnswer } from '../html/answer.js';
import { Findings, ladderFor, partFailures } from '../html/findings.js';
import { ActionButton } from '../html/form.js';
import { Score } from '../html/mast.js';
import { describeFixed } from '../html/score.js';
import { ScoreWords } from '../html/score-figure.js';
import { Time } from '../html/text.js';
import { AllFixed, Passing, Verdict } from '../html/verdict.js';
import type { EvidenceOfRun } from '../../app/evidence/evidence.js';
import {
  Accept,
  AcceptedUnseen,
  AgainInShort,
  CheckAgain,
  FindingLink,
  Outcome,
  SpokenRecheck,
} from './beneath-finding.js';
import type { Annotations } from './annotations.js';
import { addressOf } from '../server/site-paths.js';
import { describeStart } from '../../app/runs/run-label.js';
import { describeSince, newsOf } from './changes.js';
import { ScoreMove } from './run-table.js';

export interface ReportProps {
  readonly siteId: string;
  readonly report: RunReport;
  /** Whether the page is the run's own, which needs no link to itself. */
  readonly isOwnPage?: boolean;
  /** What belongs to its findings; null for a run that is not the latest of a verified site. */
  readonly annotations: Annotations | null;
  /** The evidence behind its findings. */
  readonly evidence: EvidenceOfRun;
  /** What became of it, where it is not the latest. */
  readonly later?: LaterRuns | null;
  readonly now: Date;
}

/** The failures of the run as its owner has parted them. */
export function partsOf({ report, annotations }: Pick<ReportProps, 'report' | 'annotations'>) {
  const { response, gains } = report;
  return {
    ...{ findings: response.findings, gains },
    isAccepted: (finding: Finding): boolean => Boolean(annotations?.acceptedOf(finding)),
    isFixed: (finding: Finding): boolean => Boolean(annotations?.isFixed(finding)),
  };
}

/** The answer first: the score in words, when and how, and what changed since the run before. */
export function ReportHead(props: Omit<ReportProps, 'evidence'>): JSX.Element {
  const { siteId, isOwnPage = false, report, later = null } = props;
  const { changes, response } = report;
  const { run, findings } = response;
  const { open, fixed } = partFailures(partsOf(props));
  const left = findings.filter((finding) => finding.result !== 'FAIL' || open.includes(finding));
  // Of an older run, what is fixed since does not belong to what there is to do.
  const ladder = run.score === null || later ? null : ladderFor(partsOf(props));
  // A fix may bring so much into view that the score is sure to be no higher.
  const promise = AllFixed({
    ladder: ladder && ladder.to > (run.score ?? 0) ? ladder : null,
    openCount: open.filter(({ scored }) => scored).length,
  });
  return (
    <>
      <AssistantAnswer answer={report.answer} />
      <Verdict findings={findings} facts={<RunFacts {...props} />}>
        <Score
          score={run.score}
          words={
            later && run.score !== null && open.length > 0 ? (
              describeLeft(open.filter(({ checkId }) => !later.fixedIn.has(checkId)).length)
            ) : (
              <ScoreWords score={run.score} findings={left} />
            )
          }
          change={
            <>
              {promise}
              {promise && (fixed.length > 0 || changes) && <br />}
              {fixed.length > 0 && <span class="is-p w6">{describeFixed(fixed.length, open.length)}</span>}
              {fixed.length > 0 && changes && <br />}
              {changes && <ScoreChange {...{ siteId, changes, isOwnPage }} />}
            </>
          }
        />
      </Verdict>
    </>
  );
}

/** What is still to do of an older run: the same count as its list has. */
function describeLeft(count: number): string {
  return count === 0 ? 'All fixed since' : `${countOf(count, 'thing')} still to fix`;
}

/** When and how it ran, what changed, and what the score is made of. */
function RunFacts({ siteId, isOwnPage = false, now, report }: Omit<ReportProps, 'evidence'>): JSX.Element {
  const { changes, response, label } = report;
  const { run, findings } = response;
  return (
    <>
      <li>
        {!isOwnPage && (
          <>
            <a href={addressOf.run(siteId, run.number)}>Run {run.number}</a>,{' '}
          </>
        )}
        <b>
          <Time at={run.finishedAt ?? run.startedAt} now={now} />
        </b>
        , {describeStart(run.trigger, label)}
      </li>
      {changes && !isOwnPage && !isSame(changes) && <Changes siteId={siteId} changes={changes} />}
      {changes?.comparison.hasOtherPages && <li>Other pages were sampled than in run {changes.from.number}</li>}
      {run.score === null ? <ScoreBefore report={report} /> : <Passing findings={findings} />}
    </>
  );
}

function ScoreBefore({ report: { upToHere } }: Pick<ReportProps, 'report'>): JSX.Element | null {
  const before = upToHere.find(({ score }) => score !== null);
  if (!before) return null;
  return (
    <li>
      The score before, of run {before.number}: <b class="num">{before.score}</b>. Comparisons leave this run out.
    </li>
  );
}

interface ScoreChangeProps extends Required<Pick<ReportProps, 'siteId' | 'isOwnPage'>> {
  readonly changes: RunChanges;
}

/** Whether nothing at all has changed, which one sentence says. */
function isSame({ from, to, comparison }: RunChanges): boolean {
  return from.score === to.score && describeChanges(comparison) === NO_CHANGE;
}

function ScoreChange({ siteId, changes, isOwnPage }: ScoreChangeProps): JSX.Element | null {
  const { from, to, comparison } = changes;
  if (from.score === null || to.score === null) return null;
  if (!isOwnPage && isSame(changes)) {
    return (
      <a href={addressOf.comparison(siteId, from.number, to.number)}>
        no change since run {from.number}
        <span class="hide">: compare</span>
      </a>
    );
  }
  if (from.score === to.score) return <>the same score as run {from.number}</>;
  return (
    <>
      <ScoreMove before={from.score} now={to.score} isWorse={comparison.newFailures.length > 0} /> since run{' '}
      {from.number}
    </>
  );
}

function Changes({ siteId, changes }: { readonly siteId: string; readonly changes: RunChanges }): JSX.Element {
  const { from, to, comparison } = changes;
  return (
    <li>
      <a href={addressOf.comparison(siteId, from.number, to.number)}>
        <b class="num">{describeChanges(comparison)}</b>
        <span class="hide"> since run {from.number}: compare</span>
      </a>
    </li>
  );
}

const NO_CHANGE = 'no change';

/** `1 new failure, 2 fixed`. */
function describeChanges(comparison: Comparison): string {
  const { changed, notComparable } = comparison;
  const words = [
    ...newsOf(comparison),
    ...(changed.length > 0 ? [`${changed.length} more changed`] : []),
    ...(notComparable.length > 0 ? [`${notComparable.length} not comparable`] : []),
  ];
  return words.join(', ') || NO_CHANGE;
}

/** All findings, with since when each that did not pass has been so. */
export function ReportFindings(props: Omit<ReportProps, 'isOwnPage'>): JSX.Element {
  const { siteId, report, annotations, evidence, later, now } = props;
  const { number } = report.response.run;
  const beneathOf = (finding: Finding) => annotations && { siteId, finding, annotations, now };
  const hasOutcome = (finding: Finding): boolean =>
    Boolean(annotations?.recheckOf(finding)) && !annotations?.isFixed(finding);
  // Of an older run, what passes by now needs nobody's look.
  const parts = partsOf(props);
  const isFixed = (finding: Finding): boolean => parts.isFixed(finding) || Boolean(later?.fixedIn.has(finding.checkId));
  const [first] = later ? [] : partFailures(parts).open;
  return (
    <Findings
      {...{ ...parts, isFixed }}
      isPast={Boolean(later)}
      origin={report.origin}
      notes={report.notes}
      agentHref={addressOf.runForAgents(siteId, number)}
      isOpen={(finding) => hasOutcome(finding) || finding === first}
      pageOf={({ checkId }) => addressOf.evidence(siteId, number, checkId)}
      rescore={
        !later && (
          <ActionButton action={addressOf.runs(siteId)} icon="play">
            Run now
          </ActionButton>
        )
      }
      asideOf={(finding) => {
        const beneath = beneathOf(finding);
        return (
          <>
            {beneath && <AgainInShort {...beneath} />}
            <Since report={report} finding={finding} later={later ?? null} />
          </>
        );
      }}
      outcomeOf={(finding) => {
        const beneath = beneathOf(finding);
        return beneath && <Outcome {...beneath} />;
      }}
      actionsOf={(finding) => {
        const beneath = beneathOf(finding);
        const shown = evidence.ofRun.get(finding.checkId) ?? evidence.ofRechecks.get(finding.checkId);
        return {
          next: beneath && <CheckAgain {...beneath} />,
          others: (
            <>
              <FindingLink shown={shown} href={addressOf.evidence(siteId, number, finding.checkId)} />
              {beneath && <Accept {...beneath} />}
            </>
          ),
        };
      }}
    >
      {annotations && <AcceptedUnseen {...{ siteId, annotations, now }} />}
      {annotations && <SpokenRecheck findings={report.response.findings} annotations={annotations} />}
    </Findings>
  );
}

interface SinceProps extends Pick<ReportProps, 'report' | 'later'> {
  readonly finding: Finding;
}

/** Since when a finding is so, and until when: what is new stands out, and what was so from the first run on is not told. */
function Since({ report, finding: { checkId }, later }: SinceProps): JSX.Element | null {
  const { number } = report.response.run;
  const since = report.since.get(checkId);
  const fixedIn = later?.fixedIn.get(checkId);
  if (later?.unread.has(checkId)) return <span>Not read again where it failed</span>;
  if (fixedIn !== undefined) {
    return (
      <span>
        Failed {describeSince(since)},{' '}
        <span class="is-p w6">{fixedIn === null ? 'fixed' : `fixed in run ${fixedIn}`}</span>
      </span>
    );
  }
  const isAmong = (changes: Comparison['newFailures'] | undefined): boolean =>
    changes?.some((change) => change.checkId === checkId) ?? false;
  if (isAmong(report.changes?.comparison.newFailures)) return <span class="chip is-f">New in run {number}</span>;
  if (isAmong(report.changes?.comparison.nowJudged)) return <span class="chip">Now judged</span>;
  if (report.changes && isAmong(failingOtherwise(report.changes.comparison)))
    return <span class="chip">Fails differently</span>;
  return since === 1 ? null : <span>{describeSince(since)}</span>;
}
