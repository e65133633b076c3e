import { failureOf } from '../../scanner/report/failures.js';
import type { FindingRow as Row, Outcome } from './finding-view.js';
import { ActionButton, CopyLink, LinkButton, Tabs, type TabsProps } from './sections.js';
import { Callout, Icon, Mark, Snippet, Time, Words } from './text.js';
import { checkHref, failureHref } from '../server/paths.js';
import { type FixPart, splitFix } from '../../scanner/verdict/fix-parts.js';

/** A finding that did not pass: the failure and the points to gain, and the fix once it is opened. */
export function FindingRow({ row }: { readonly row: Row }) {
  const { checkId, finding, state, headline, detail, worth } = row;
  return (
    <details class="finding" id={checkId} open={row.isExpanded}>
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
              <small>{worth ? worth.note : 'not scored'}</small>
            </span>
          )}
          <Icon name="right" />
        </span>
        <span class="m">
          <code class="nb">{checkId}</code>
          <Remarks row={row} />
        </span>
      </summary>
      <RowBody row={row} />
    </details>
  );
}

/** The outcome of a recheck, and how long the result has lasted. */
export function Remarks({ row: { remarks } }: { readonly row: Row }) {
  return (
    <>
      {remarks.map(({ words, className, at }) => (
        <span key={words} class={className || undefined}>
          {words}
          {at !== null && (
            <>
              {' '}
              <Time at={at} />
            </>
          )}
        </span>
      ))}
    </>
  );
}

function RowBody({ row }: { readonly row: Row }) {
  const { finding, state, accepted, outcome, fix } = row;
  return (
    <div class="inside">
      {accepted && (
        <p class="soft">
          Accepted <Time at={accepted.acceptedAt} />, because: <bdi>{accepted.reason}</bdi>
        </p>
      )}
      {outcome && (
        <Callout {...(outcome.at !== null && { result: outcome.result ?? 'UNDETERMINED' })}>
          <OutcomeText outcome={outcome} />
        </Callout>
      )}
      <CheckLinks finding={finding} />
      {fix !== null && state !== 'fixed' && <Fix text={fix} name={finding.checkId} platformHref={row.platformHref} />}
      {fix === null && finding.explanation !== null && (
        <p>
          <Words text={finding.explanation} />
        </p>
      )}
      <Buttons {...row} />
    </div>
  );
}

export function CheckLinks({ finding }: Pick<Row, 'finding'>) {
  const { checkId, errorType } = finding;
  return (
    <p class="small">
      See <a href={checkHref(checkId)}>why {checkId} matters</a>
      {errorType !== null && failureOf(finding) && (
        <>
          , with <a href={failureHref(checkId, errorType)}>an example</a>
        </>
      )}
      .
    </p>
  );
}

export function OutcomeText({ outcome: { words, at, more } }: { readonly outcome: Outcome }) {
  return (
    <>
      <b>{words}</b>
      {at !== null && (
        <>
          , checked <Time at={at} />.
        </>
      )}{' '}
      {more}
    </>
  );
}

function Buttons({ checkId, state, outcome, actions }: Row) {
  const { checkAgain, isNext, refusal, agent, details, hasEvidence, accept, undoAccept } = actions;
  return (
    <div class="row" id={`do-${checkId}`}>
      {refusal !== null && (
        <p class="wrong" role="alert" tabIndex={-1} data-focus>
          {refusal}
        </p>
      )}
      {checkAgain !== null && (
        <ActionButton
          action={checkAgain}
          kind={isNext ? 'solid' : 'quiet'}
          icon="again"
          label={outcome?.at === null ? 'Checking again' : 'Check again'}
          about={checkId}
          isInPlace
        />
      )}
      {agent !== null && <CopyLink href={agent} label="For a developer or AI" about={checkId} />}
      {details !== null && (
        <LinkButton kind="quiet" href={details} label={hasEvidence ? 'Evidence' : 'Details'} about={checkId} />
      )}
      {accept !== null && state !== 'fixed' && (
        <LinkButton kind="bare" href={accept} label="Accept as is" about={checkId} />
      )}
      {undoAccept !== null && <ActionButton action={undoAccept} kind="quiet" label="Undo accept" about={checkId} />}
    </div>
  );
}

interface FixProps {
  readonly text: string;
  /** Letters, digits and hyphens; unique in the page. */
  readonly name: string;
  readonly platformHref?: string | null;
}

/** Instructions that fix a failure: snippets that can be copied, and a tab for each server. */
export function Fix({ text, name, platformHref = null }: FixProps) {
  const parts = splitFix(text);
  const firstServer = parts.findIndex(({ kind }) => kind === 'server');
  const end = firstServer < 0 ? parts.length : firstServer;
  return (
    <>
      <Parts parts={parts.slice(0, end)} label={name} />
      {end < parts.length && platformHref !== null && (
        <p class="small">
          <a href={platformHref}>Choose your platform</a>
        </p>
      )}
      {end < parts.length && <Tabs label="Server" name={name} panels={serversOf(parts, name)} />}
    </>
  );
}

function Parts({ parts, label }: { readonly parts: readonly FixPart[]; readonly label: string }) {
  const snippets = parts.filter(({ kind }) => kind === 'snippet');
  return (
    <>
      {parts.map((part) => {
        if (part.kind === 'prose')
          return (
            <p key={part.text}>
              <Words text={part.text} />
            </p>
          );
        if (part.kind === 'list') return <List key={part.text} text={part.text} />;
        const number = snippets.length > 1 ? ` ${snippets.indexOf(part) + 1}` : '';
        return <Snippet key={part.text} text={part.text} label={`snippet${number} for ${label}`} />;
      })}
    </>
  );
}

/** Splits the parts by server: the first part of each names it. */
function serversOf(parts: readonly FixPart[], name: string): TabsProps['panels'] {
  const starts = parts.flatMap(({ kind }, index) => (kind === 'server' ? [index] : []));
  return starts.map((start, index) => {
    const server = parts[start]?.text ?? '';
    return [server, <Parts parts={parts.slice(start + 1, starts[index + 1])} label={`${name} in ${server}`} />];
  });
}

function List({ text }: { readonly text: string }) {
  return (
    <ul>
      {text.split('\n').map((line) => (
        <li key={line}>
          <Words text={line.slice(2)} />
        </li>
      ))}
    </ul>
  );
}
