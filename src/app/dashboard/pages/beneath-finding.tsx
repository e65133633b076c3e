import type { JSX } from 'preact';
import { failureOf, headlineOf } from '../../../scanner/report/failures.js';
import type { Finding } from '../../../scanner/verdict/finding.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { ResultMark } from '../../../web/kit/components/result.js';
import { Time } from '../../../web/kit/components/text.js';
import type { AcceptedFailure } from '../../triage/accepted-failures.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { isRunning, type Recheck } from '../../triage/recheck.js';
import type { Annotations } from './annotations.js';

export interface BeneathProps {
  readonly siteId: string;
  readonly finding: Finding;
  readonly annotations: Annotations;
  readonly now: Date;
}

/** What an owner can do about a finding of the latest run that did not pass, and what came of it. */
export function BeneathFinding({ siteId, finding, annotations, now }: BeneathProps): JSX.Element {
  const { checkId, errorType } = finding;
  const accepted = annotations.acceptedOf(finding);
  return (
    <>
      {accepted && <Reason accepted={accepted} now={now} />}
      <Again finding={finding} recheck={annotations.recheckOf(finding)} now={now} />
      <div class="row">
        <ActionButton action={addressOf.recheck(siteId, checkId)} kind="quiet">
          Check again<span class="hide"> {checkId}</span>
        </ActionButton>
        {accepted && (
          <ActionButton action={addressOf.removeAccepted(siteId, accepted)} kind="quiet">
            Do not accept<span class="hide"> {checkId}</span>
          </ActionButton>
        )}
        {!accepted && errorType !== null && failureOf(finding) && (
          <a href={addressOf.accept(siteId, { checkId, errorType })}>
            Accept<span class="hide"> the failure of {checkId}</span>
          </a>
        )}
      </div>
    </>
  );
}

/** What is accepted although the latest run did not find it: it would keep alerts quiet unseen. */
export function AcceptedUnseen({ siteId, annotations, now }: Omit<BeneathProps, 'finding'>): JSX.Element | null {
  if (annotations.acceptedUnseen.length === 0) return null;
  return (
    <details class="folded">
      <summary>
        <h2>Accepted, but not found ({annotations.acceptedUnseen.length})</h2>
      </summary>
      <ul class="findings">
        {annotations.acceptedUnseen.map((accepted) => (
          <li key={`${accepted.checkId} ${accepted.errorType}`} class="finding">
            <span class="check mono">{accepted.checkId}</span>
            <span class="title">{headlineOf({ ...accepted, title: null })}</span>
            <Reason accepted={accepted} now={now} />
            <ActionButton action={addressOf.removeAccepted(siteId, accepted)} kind="quiet">
              Do not accept<span class="hide"> {accepted.checkId}</span>
            </ActionButton>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Reason({ accepted, now }: { readonly accepted: AcceptedFailure; readonly now: Date }): JSX.Element {
  return (
    <p class="soft">
      Accepted <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
    </p>
  );
}

interface AgainProps extends Pick<BeneathProps, 'finding' | 'now'> {
  readonly recheck: Recheck | null;
}

/** How the check came out the last time. Where script can, this part is loaded again until it is over. */
function Again({ finding, recheck, now }: AgainProps): JSX.Element | null {
  if (!recheck) return null;
  const isPending = isRunning(recheck, now);
  return (
    <p id={`again-${finding.checkId}`} role="status" data-pending={isPending ? 'part' : undefined}>
      {isPending ? 'Being checked again. It takes less than a minute.' : <Outcome {...{ finding, recheck, now }} />}
    </p>
  );
}

function Outcome({ finding, recheck, now }: AgainProps & { readonly recheck: Recheck }): JSX.Element {
  const { result, errorType, detail, finishedAt, startedAt } = recheck;
  if (result === null) {
    return (
      <>
        Could not be checked again, <Time at={finishedAt ?? startedAt} now={now} />: the service was too busy, or
        failed. The site is not to blame. Try again in a minute.
      </>
    );
  }
  const at = <Time at={finishedAt ?? startedAt} now={now} />;
  if (result === 'PASS') {
    return (
      <>
        <ResultMark result={result} /> now, checked {at}.{detail !== null && <span class="detail">{detail}</span>}
        <span class="detail">The score follows with the next run.</span>
      </>
    );
  }
  return (
    <>
      Checked again {at}: <ResultMark result={result} /> {headlineOf({ ...finding, errorType })}
      {detail !== null && <span class="detail">{detail}</span>}
    </>
  );
}
