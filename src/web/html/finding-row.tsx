import type { JSX } from 'preact';
import { failureOf } from '../../scanner/report/failures.js';
import type { FindingRow as Row, Outcome } from './finding-view.js';
import { Fix } from './fix.js';
import { CopyLink } from './sections.js';
import { ActionButton } from './form.js';
import { Icon, Mark } from './icons.js';
import { failureHref } from '../server/paths.js';
import { Callout, Time, Words } from './text.js';

interface FindingRowProps {
  readonly row: Row;
  readonly now: Date;
}

/** A finding that did not pass: what is wrong and what fixing it adds; opened, how to fix it. */
export function FindingRow({ row, now }: FindingRowProps): JSX.Element {
  const { checkId, finding, state, headline, detail, worth } = row;
  return (
    <details class="finding" id={checkId} open={row.isOpen}>
      <summary>
        <Mark result={state === 'fixed' ? 'PASS' : finding.result} scored={finding.scored} />
        <span class="t">{headline}</span>
        {detail !== null && (
          <span class="d">
            <Words text={detail} />
          </span>
        )}
        <span class="gain">
          {finding.result === 'FAIL' && state !== 'accepted' && (
            <span>
              {worth?.points && <b>{worth.points}</b>}
              <small>{worth ? worth.scores : 'not scored'}</small>
            </span>
          )}
          <Icon name="right" />
        </span>
        <span class="m">
          <code class="nb">{checkId}</code>
          <Remarks row={row} now={now} />
        </span>
      </summary>
      <Inside row={row} now={now} />
    </details>
  );
}

/** Since when a finding is so, and how its check came out when it was repeated. */
export function Remarks({ row, now }: FindingRowProps): JSX.Element {
  return (
    <>
      {row.remarks.map(({ words, look, at }) => (
        <span key={words} class={look || undefined}>
          {words}
          {at !== null && (
            <>
              {' '}
              <Time at={at} now={now} />
            </>
          )}
        </span>
      ))}
    </>
  );
}

function Inside({ row, now }: FindingRowProps): JSX.Element {
  const { finding, accepted, outcome, fix } = row;
  return (
    <div class="inside">
      {accepted && (
        <p class="soft">
          Accepted <Time at={accepted.acceptedAt} now={now} />, because: <bdi>{accepted.reason}</bdi>
        </p>
      )}
      {outcome && (
        <Callout {...(outcome.at !== null && { result: outcome.result ?? 'UNDETERMINED' })}>
          <OutcomeText outcome={outcome} now={now} />
        </Callout>
      )}
      {fix !== null && <Fix text={fix} name={finding.checkId} platformHref={row.platformHref} />}
      {fix === null && finding.explanation !== null && (
        <p>
          <Words text={finding.explanation} />
        </p>
      )}
      <ExampleLink finding={finding} />
      <Buttons {...row} />
    </div>
  );
}

export function ExampleLink({ finding }: Pick<Row, 'finding'>): JSX.Element | null {
  const { checkId, errorType } = finding;
  if (errorType === null || failureOf(finding) === null) return null;
  return (
    <p class="small">
      <a href={failureHref(checkId, errorType)}>
        An example, before and after<span class="hide">, {checkId}</span>
      </a>
    </p>
  );
}

interface OutcomeTextProps {
  readonly outcome: Outcome;
  readonly now: Date;
}

export function OutcomeText({ outcome: { words, at, more }, now }: OutcomeTextProps): JSX.Element {
  return (
    <>
      <b>{words}</b>
      {at !== null && (
        <>
          , checked <Time at={at} now={now} />.
        </>
      )}{' '}
      {more}
    </>
  );
}

function Buttons({ checkId, outcome, actions }: Row): JSX.Element {
  const { checkAgain, isNext, agent, details, hasEvidence, accept, undoAccept } = actions;
  // Many rows have the same buttons.
  const of = <span class="hide"> {checkId}</span>;
  return (
    <div class="row">
      {checkAgain !== null && (
        <ActionButton action={checkAgain} kind={isNext ? 'solid' : 'quiet'} icon="again" isInPlace>
          {outcome?.at === null ? 'Checking again' : 'Check again'}
          {of}
        </ActionButton>
      )}
      {agent !== null && <CopyLink href={agent} label={<>For a developer or AI{of}</>} />}
      {details !== null && (
        <a class="btn quiet" href={details}>
          {hasEvidence ? 'Evidence' : 'Details'}
          {of}
        </a>
      )}
      {accept !== null && (
        <a class="btn bare" href={accept}>
          Accept{of}
        </a>
      )}
      {undoAccept !== null && (
        <ActionButton action={undoAccept} kind="quiet">
          Undo accept{of}
        </ActionButton>
      )}
    </div>
  );
}
