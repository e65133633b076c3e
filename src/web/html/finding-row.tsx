import type { JSX } from 'preact';
import type { FindingRow as Row, Outcome, Remark, Worth as RowWorth } from './finding-view.js';
import { Fix } from './fix.js';
import { CopyLink } from './fold.js';
import { ActionButton } from './form.js';
import { Icon, Mark } from './icons.js';
import { memoized } from './memoized.js';
import { Callout, Time, Words } from './text.js';

interface FindingRowProps {
  readonly row: Row;
  readonly now: Date;
}

/** A finding that did not pass: what is wrong and what fixing it adds; opened, how to fix it. */
export function FindingRow({ row, now }: FindingRowProps): JSX.Element {
  const { checkId, finding, state, headline, lead, rest, worth } = row;
  return (
    <details class="finding" id={checkId} open={row.isOpen}>
      <summary>
        <Mark result={state === 'fixed' ? 'PASS' : finding.result} scored={finding.scored} />
        <span class="t">{headline}</span>
        {lead !== '' && (
          <span class={row.isCut ? 'd cut' : 'd'}>
            <Words text={lead} />
            {rest !== '' && (
              <span class="rest">
                {' '}
                <Words text={rest} />
              </span>
            )}
          </span>
        )}
        <span class="gain">
          {worth && <Worth {...worth} />}
          <Icon name="right" />
        </span>
        <span class="m">
          <code>{checkId}</code>
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
      {row.remarks.map((remark) => (
        <RemarkText key={remark.words} remark={remark} now={now} />
      ))}
    </>
  );
}

function RemarkText({ remark, now }: { readonly remark: Remark; readonly now: Date }): JSX.Element {
  const { words, isChip, tone, at } = remark;
  const classes = [isChip && 'chip', tone, !isChip && tone && 'w6'].filter(Boolean).join(' ');
  return (
    <span class={classes || undefined}>
      {words}
      {at !== null && ' '}
      {at !== null && <Ago at={at} now={now} />}
    </span>
  );
}

/** Shows seconds, which count right after a fix. */
function Ago({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  const seconds = Math.round((now.getTime() - Date.parse(at)) / 1000);
  return seconds >= 0 && seconds < 60 ? <>{seconds} s ago</> : <Time at={at} now={now} />;
}

/** Points that a fix adds, such as `+6` and `67 → 73`. */
export function Worth({ scored, points, isAtLeast, score }: RowWorth): JSX.Element {
  if (!scored) {
    return (
      <span>
        <small>not scored</small>
      </span>
    );
  }
  return (
    <span>
      {points > 0 && (
        <b>
          +{points}
          {isAtLeast && <span> or more</span>}
        </b>
      )}
      {score && score[1] >= score[0] && (
        <small>
          {score[0]} → {score[1]}
        </small>
      )}
    </span>
  );
}

function Inside({ row, now }: FindingRowProps): JSX.Element {
  const { finding, accepted, outcome, fix, exampleHref } = row;
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
      {fix !== null && <FixOf finding={finding} text={fix} />}
      {fix === null && finding.explanation !== null && (
        <p>
          <Words text={finding.explanation} />
        </p>
      )}
      {exampleHref !== null && (
        <p class="small">
          <a href={exampleHref}>
            An example, before and after<span class="hide">, {row.checkId}</span>
          </a>
        </p>
      )}
      <Actions row={row} />
    </div>
  );
}

/** The outcome of a repeated check, and when that was. */
export function OutcomeText({ outcome: { words, at, more }, now }: { readonly outcome: Outcome; readonly now: Date }) {
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

function Actions({ row }: Pick<FindingRowProps, 'row'>): JSX.Element {
  const { checkAgain, agentHref, details, acceptHref, undoAcceptHref } = row;
  // Many rows have the same buttons.
  const of = <span class="hide"> {row.checkId}</span>;
  return (
    <div class="row">
      {checkAgain && (
        <ActionButton action={checkAgain.href} kind={checkAgain.isNext ? 'solid' : 'quiet'} icon="again" isInPlace>
          {checkAgain.label}
          {of}
        </ActionButton>
      )}
      {agentHref !== null && <CopyLink href={agentHref} label={<>For your agent{of}</>} />}
      {details && (
        <a class="btn quiet" href={details.href}>
          {details.label}
          {of}
          {details.note !== '' && <span class="soft">{details.note}</span>}
        </a>
      )}
      {acceptHref !== null && (
        <a class="btn bare" href={acceptHref}>
          Accept{of}
        </a>
      )}
      {undoAcceptHref !== null && (
        <ActionButton action={undoAcceptHref} kind="quiet">
          Undo accept{of}
        </ActionButton>
      )}
    </div>
  );
}

const FixOf = memoized(
  ({ finding, text }: { readonly finding: Row['finding']; readonly text: string }) => (
    <Fix text={text} name={finding.checkId} />
  ),
  ({ finding }) => finding,
  ({ text }) => text,
);
