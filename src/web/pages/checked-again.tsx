import type { JSX } from 'preact';
import { headlineOf } from '../../scanner/report/failures.js';
import { ActionButton } from '../html/form.js';
import { Time } from '../html/text.js';
import { addressOf } from '../server/site-paths.js';
import { isRunning, type Recheck } from '../../app/triage/rechecks.js';
import type { FindingProps } from './finding-props.js';
import { toneOf } from '../html/icons.js';

/**
 * How the check came out when it was made again, or why it was not. The region around it stays, so that readers of screens hear what
 * changes in it.
 */
export function CheckedAgain(props: FindingProps): JSX.Element {
  const { site, finding, annotations, errors, now } = props;
  const recheck = annotations?.recheckOf(finding) ?? null;
  const refusals = Object.values(errors ?? {});
  return (
    <div role="status">
      {refusals.length > 0 ? (
        <div class="note is-f" tabIndex={-1} data-focus>
          <p>{refusals.join(' ')}</p>
        </div>
      ) : (
        <div class={recheck ? noteClass(recheck) : undefined}>
          {recheck && <p>{isRunning(recheck) ? <UnderWay /> : <Outcome {...{ finding, recheck, now }} />}</p>}
          {recheck?.result === 'PASS' && (
            <ActionButton action={addressOf.runs(site.id)} icon="play">
              Run now
            </ActionButton>
          )}
        </div>
      )}
    </div>
  );
}

function noteClass({ result }: Recheck): string {
  return result === null ? 'note' : `note ${toneOf(result)}`;
}

function UnderWay(): JSX.Element {
  return (
    <>
      <b>Being checked again.</b> It takes less than a minute.
    </>
  );
}

type OutcomeProps = Pick<FindingProps, 'finding' | 'now'> & { readonly recheck: Recheck };

function Outcome({ finding, recheck, now }: OutcomeProps): JSX.Element {
  const { result, detail, finishedAt, startedAt } = recheck;
  const at = <Time at={finishedAt ?? startedAt} now={now} />;
  if (result === null) {
    return (
      <>
        <b>It could not be checked again, {at}.</b> The service was too busy, or failed. The site is not to blame: try
        again in a minute.
      </>
    );
  }
  return (
    <>
      <b>
        Checked again {at}: {describeOutcome({ finding, recheck, now })}.
      </b>{' '}
      {detail}
      {result === 'PASS' && ' The score follows with the next run.'}
    </>
  );
}

function describeOutcome({ finding, recheck: { result, errorType } }: OutcomeProps): string {
  if (result === 'PASS') return 'it passes now';
  if (result === 'UNDETERMINED') return 'it could not be determined';
  if (result === 'NOT_APPLICABLE') return 'it does not apply now';
  if (finding.result !== 'FAIL') return `it fails now. ${headlineOf({ ...finding, errorType })}`;
  return errorType === finding.errorType
    ? 'it still fails'
    : `it fails in another way. ${headlineOf({ ...finding, errorType })}`;
}
