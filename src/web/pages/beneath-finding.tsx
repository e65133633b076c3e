import type { JSX } from 'preact';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import type { ShownEvidence } from '../../scanner/trace/kept-evidence.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { ActionButton } from '../html/form.js';
import { CountedFold } from '../html/fold.js';
import { Callout, Time } from '../html/text.js';
import type { AcceptedFailure } from '../../app/triage/accepted-failures.js';
import { addressOf } from '../server/site-paths.js';
import { isRunning, type Recheck } from '../../app/triage/rechecks.js';
import type { Annotations } from './annotations.js';

interface BeneathProps {
  readonly siteId: string;
  readonly finding: Finding;
  readonly annotations: Annotations;
  readonly now: Date;
}

/** Makes the check again: what comes next, unless something is fixed that only a run brings into the score. */
export function CheckAgain({ siteId, finding, annotations }: Omit<BeneathProps, 'now'>): JSX.Element {
  const recheck = annotations.recheckOf(finding);
  const isPending = recheck !== null && isRunning(recheck);
  return (
    <ActionButton
      action={addressOf.recheck(siteId, finding.checkId)}
      kind={annotations.hasFixed || finding.result !== 'FAIL' ? 'quiet' : 'solid'}
      icon="again"
      isInPlace
    >
      {isPending ? 'Checking again' : 'Check again'}
      <span class="hide"> {finding.checkId}</span>
    </ActionButton>
  );
}

/** Leads to the page where its owner says that a failure is meant to be so, or takes that back. */
export function Accept({ siteId, finding, annotations }: Omit<BeneathProps, 'now'>): JSX.Element | null {
  const { checkId, errorType } = finding;
  const accepted = annotations.acceptedOf(finding);
  if (accepted) return <DoNotAccept siteId={siteId} accepted={accepted} />;
  if (errorType === null || !failureOf(finding)) return null;
  return (
    <a class="btn bare" href={addressOf.accept(siteId, { checkId, errorType })}>
      Accept<span class="hide"> the failure of {checkId}</span>
    </a>
  );
}

function DoNotAccept({ siteId, accepted }: { readonly siteId: string; readonly accepted: AcceptedFailure }) {
  return (
    <ActionButton action={addressOf.removeAccepted(siteId, accepted)} kind="quiet">
      Do not accept<span class="hide"> {accepted.checkId}</span>
    </ActionButton>
  );
}

/** Leads to the finding's page, where the site's own words are. */
export function FindingLink({ shown, href }: { readonly shown: ShownEvidence | undefined; readonly href: string }) {
  const [line] = shown?.exchanges.flatMap(({ excerpt }) => excerpt?.marked ?? []) ?? [];
  return (
    <a class="btn quiet" href={href}>
      {shown ? 'Evidence' : 'Details'}
      {shown && (
        <span class="soft">
          {countOf(shown.exchanges.length + shown.omittedCount, 'request')}
          {line !== undefined && `, line ${line}`}
        </span>
      )}
    </a>
  );
}

/** What is accepted although the latest run did not find it: it would keep alerts quiet unseen. */
export function AcceptedUnseen({ siteId, annotations, now }: Omit<BeneathProps, 'finding'>): JSX.Element | null {
  if (annotations.acceptedUnseen.length === 0) return null;
  return (
    <CountedFold title="Accepted, but not found" count={annotations.acceptedUnseen.length}>
      <ul class="items">
        {annotations.acceptedUnseen.map((accepted) => (
          <li key={`${accepted.checkId} ${accepted.errorType}`}>
            <span />
            <div>
              <b>{headlineOf({ ...accepted, title: null })}</b> <code>{accepted.checkId}</code>
              <Reason accepted={accepted} now={now} />
            </div>
            <DoNotAccept siteId={siteId} accepted={accepted} />
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}

function Reason({ accepted, now }: { readonly accepted: AcceptedFailure; readonly now: Date }): JSX.Element {
  return (
    <p class="soft">
      Accepted <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
    </p>
  );
}

/** Why a failure is accepted, and how its check came out when it was made again. */
export function Outcome({ finding, annotations, now }: Omit<BeneathProps, 'siteId'>): JSX.Element | null {
  const accepted = annotations.acceptedOf(finding);
  const recheck = annotations.recheckOf(finding);
  return (
    <>
      {accepted && <Reason accepted={accepted} now={now} />}
      {recheck && <Again finding={finding} recheck={recheck} now={now} />}
    </>
  );
}

interface AgainProps extends Pick<BeneathProps, 'finding' | 'now'> {
  readonly recheck: Recheck;
}

function Again({ finding, recheck, now }: AgainProps): JSX.Element {
  const { result, errorType, detail, finishedAt, startedAt } = recheck;
  if (isRunning(recheck)) {
    return <Callout>Being checked again. It takes less than a minute.</Callout>;
  }
  const at = <Time at={finishedAt ?? startedAt} now={now} />;
  if (result === null) {
    return (
      <Callout result="UNDETERMINED">
        <b>It could not be checked again</b>, {at}: the service was too busy, or failed. The site is not to blame. Try
        again in a minute.
      </Callout>
    );
  }
  if (result === 'PASS') {
    return (
      <Callout result="PASS">
        <b>{OUTCOMES.PASS}</b>, checked {at}. {detail} The score follows with the next run.
      </Callout>
    );
  }
  return (
    <Callout result={result === 'FAIL' ? 'FAIL' : 'UNDETERMINED'}>
      <b>{OUTCOMES[result]}</b>, checked {at}:{headlineOf({ ...finding, errorType })}. {detail}
    </Callout>
  );
}

const OUTCOMES: Readonly<Record<Result, string>> = {
  PASS: 'It passes now',
  FAIL: 'It still fails',
  UNDETERMINED: 'It cannot be judged now',
  NOT_APPLICABLE: 'It cannot be judged now',
};

/** Announces how the last check made again stands. The region stays where it is, so that screen readers hear what changes in it. */
export function SpokenRecheck({
  findings,
  annotations,
}: Pick<BeneathProps, 'annotations'> & { readonly findings: readonly Finding[] }): JSX.Element {
  const made = findings.flatMap((finding) => {
    const recheck = annotations.recheckOf(finding);
    return recheck ? [{ finding, recheck }] : [];
  });
  const [last] = made.sort((a, b) => b.recheck.startedAt.localeCompare(a.recheck.startedAt));
  return (
    <p class="hide" role="status">
      {last && describeRecheck(last.finding, last.recheck)}
    </p>
  );
}

function describeRecheck(finding: Finding, recheck: Recheck): string {
  if (isRunning(recheck)) return 'Being checked again.';
  const outcome = recheck.result === null ? 'It could not be checked again' : OUTCOMES[recheck.result];
  return `${headlineOf(finding)}: ${outcome}.`;
}

/** The same in a few words, for the closed row; null where it was not made again. */
export function AgainInShort({ finding, annotations, now }: Omit<BeneathProps, 'siteId'>): JSX.Element | null {
  const recheck = annotations.recheckOf(finding);
  if (!recheck) return null;
  if (isRunning(recheck)) return <span class="chip">Being checked again</span>;
  const ago = <Ago at={recheck.finishedAt ?? recheck.startedAt} now={now} />;
  switch (recheck.result) {
    case 'PASS':
      return <span class="chip is-p">Passes now, checked {ago}</span>;
    case 'FAIL':
      return <span class="chip is-f">Still fails, checked {ago}</span>;
    case null:
      return <span class="chip is-u">Could not be checked {ago}</span>;
    case 'UNDETERMINED':
    case 'NOT_APPLICABLE':
      return <span class="chip is-u">Cannot be judged, checked {ago}</span>;
  }
}

/** Seconds count right after a fix. */
function Ago({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  const seconds = Math.round((now.getTime() - Date.parse(at)) / 1000);
  return seconds >= 0 && seconds < 60 ? <>{seconds} s ago</> : <Time at={at} now={now} />;
}
