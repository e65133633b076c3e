import type { JSX } from 'preact';
import { headlineOf } from '../../../scanner/report/failures.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { Time } from '../../../web/kit/components/text.js';
import { isRunning, type Recheck } from '../../triage/recheck.js';
import type { FindingProps } from './finding-props.js';

/**
 * How the check came out when it was made again. The region around it stays, so that readers of screens hear what changes in it; where
 * script can, the part within is loaded again until the check is over.
 */
export function CheckedAgain({ finding, annotations, now }: FindingProps): JSX.Element {
  const recheck = annotations?.recheckOf(finding) ?? null;
  const isPending = recheck !== null && isRunning(recheck, now);
  return (
    <div role="status">
      <div id="again" class={recheck ? noteClass(recheck) : undefined} data-pending={isPending ? 'part' : undefined}>
        {isPending && (
          <p>
            <b>Being checked again.</b> It takes less than a minute.
          </p>
        )}
        {recheck && !isPending && (
          <p>
            <Outcome {...{ finding, recheck, now }} />
          </p>
        )}
      </div>
    </div>
  );
}

const COLOURS: Readonly<Record<Result, string>> = {
  PASS: ' is-p',
  FAIL: ' is-f',
  UNDETERMINED: ' is-u',
  NOT_APPLICABLE: '',
};

function noteClass({ result }: Recheck): string {
  return `note${result === null ? '' : COLOURS[result]}`;
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
