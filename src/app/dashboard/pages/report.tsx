import type { JSX } from 'preact';
import { commonCause } from '../../../scanner/report/no-score.js';
import type { Comparison } from '../../../scanner/report/comparison.js';
import { hasMoved } from '../../../scanner/verdict/move.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import { type RunChanges, type RunReport, SINCE_RUNS_MAX } from '../../runs/history.js';
import { Findings } from '../../../web/kit/components/findings.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { HeadNotes } from '../../../web/kit/components/notes.js';
import { describeCounting, describeScore, formatScore } from '../../../web/kit/components/score.js';
import { Time } from '../../../web/kit/components/text.js';
import { countOf } from '../../../platform/counts.js';
import type { EvidenceOfRun } from '../../evidence/evidence.js';
import { addressOf as freeScanAddressOf } from '../../free-scan/pages/addresses.js';
import { EvidenceLink } from '../../evidence/pages/exchanges.js';
import { AcceptedUnseen, BeneathFinding } from './beneath-finding.js';
import type { Annotations } from './annotations.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { TRIGGER_WORDS } from '../../runs/words.js';

export interface ReportProps {
  readonly siteId: string;
  readonly report: RunReport;
  /** Whether the page is the run's own, which needs no link to itself. */
  readonly isOwnPage?: boolean;
  /** What belongs to its findings; null for a run that is not the latest of a verified site. */
  readonly annotations: Annotations | null;
  /** The evidence behind its findings. */
  readonly evidence: EvidenceOfRun;
  readonly now: Date;
}

/** The answer first: the score in words, when and how, and what changed since the run before. */
export function Verdict({
  siteId,
  report,
  isOwnPage = false,
  annotations,
  now,
}: Omit<ReportProps, 'evidence'>): JSX.Element {
  const { changes, notes, movedTo, response } = report;
  const { run, findings } = response;
  return (
    <>
      <p class="verdict">
        <span class="score">{formatScore(run.score)}</span>:{' '}
        {describeScore(
          run.score,
          findings.filter((finding) => !annotations?.acceptedOf(finding) && !annotations?.isFixed(finding)),
          findings.filter((finding) => annotations?.isFixed(finding)).length,
        )}
      </p>
      <p>
        {isOwnPage ? `Run ${run.number}` : <a href={addressOf.run(siteId, run.number)}>Run {run.number}</a>} (
        {run.reference}), started {TRIGGER_WORDS[run.trigger]}, <Time at={run.finishedAt ?? run.startedAt} now={now} />.
        {run.score !== null && ` ${describeCounting(findings)}.`}
      </p>
      <HeadNotes notes={notes} movedTo={movedTo} scanHref={freeScanAddressOf.result} />
      {run.score === null && !hasMoved(notes) && <NoScore findings={findings} />}
      {changes && <Changes siteId={siteId} changes={changes} />}
    </>
  );
}

/** All findings, with since when each that did not pass has been so. */
export function ReportFindings({
  siteId,
  report,
  annotations,
  evidence,
  now,
}: Omit<ReportProps, 'isOwnPage'>): JSX.Element {
  return (
    <>
      <Findings
        origin={report.origin}
        findings={report.response.findings}
        notes={report.notes}
        gains={report.gains}
        agentHref={addressOf.runForAgents(siteId, report.response.run.number)}
        isAccepted={(finding) => Boolean(annotations?.acceptedOf(finding))}
        isFixed={(finding) => Boolean(annotations?.isFixed(finding))}
        rescore={<ActionButton action={addressOf.runs(siteId)}>Run now</ActionButton>}
        beneathOf={(finding) => (
          <>
            <EvidenceOf {...{ siteId, report, evidence, finding }} />
            {annotations && <BeneathFinding {...{ siteId, finding, annotations, now }} />}
          </>
        )}
        asideOf={({ checkId }) => (
          <Since siteId={siteId} number={report.response.run.number} since={report.since.get(checkId)} />
        )}
      />
      {annotations && <AcceptedUnseen {...{ siteId, annotations, now }} />}
    </>
  );
}

function EvidenceOf({
  siteId,
  report,
  evidence,
  finding: { checkId },
}: Pick<ReportProps, 'siteId' | 'report' | 'evidence'> & { readonly finding: Finding }): JSX.Element | null {
  const shown = evidence.ofRun.get(checkId) ?? evidence.ofRechecks.get(checkId);
  if (!shown) return null;
  return <EvidenceLink shown={shown} href={addressOf.evidence(siteId, report.response.run.number, checkId)} />;
}

function NoScore({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  const cause = commonCause(findings);
  return (
    <p>
      {cause !== null && <>Most checks say: {cause} </>}
      This is not a score of zero. Make sure that the site answers from the internet and lets the{' '}
      <a href="/about">scanner</a> in, then run again.
    </p>
  );
}

function Changes({ siteId, changes }: { readonly siteId: string; readonly changes: RunChanges }): JSX.Element {
  const { from, to, comparison } = changes;
  return (
    <p>
      Since run {from.number}: {describeChanges(comparison)}
      {describeMove(from.score, to.score)}.{' '}
      <a href={addressOf.comparison(siteId, from.number, to.number)}>
        Compare<span class="hide"> with run {from.number}</span>
      </a>
    </p>
  );
}

/** `1 new failure, 2 fixed`. */
export function describeChanges({ newFailures, fixed, nowJudged, changed, notComparable }: Comparison): string {
  const parts = [
    [newFailures, countOf(newFailures.length, 'new failure')],
    [fixed, `${fixed.length} fixed`],
    [nowJudged, `${nowJudged.length} now judged`],
    [changed, `${changed.length} otherwise changed`],
    [notComparable, `${notComparable.length} not comparable`],
  ] as const;
  const words = parts.flatMap(([checks, text]) => (checks.length > 0 ? [text] : []));
  return words.join(', ') || 'no change';
}

function describeMove(before: number | null, now: number | null): string {
  if (before === now || before === null || now === null) return '';
  return `; the score went ${now > before ? 'up' : 'down'} from ${before} to ${now}`;
}

interface SinceProps {
  readonly siteId: string;
  readonly number: number;
  readonly since: number | undefined;
}

function Since({ siteId, number, since }: SinceProps): JSX.Element {
  if (since === undefined) return <>So for more than {SINCE_RUNS_MAX} runs.</>;
  if (since === number) return <>{number === 1 ? 'So since the first run.' : 'New in this run.'}</>;
  return (
    <>
      So since <a href={addressOf.run(siteId, since)}>run {since}</a>.
    </>
  );
}
