import type { JSX } from 'preact';
import { describeFailure } from '../../../scanner/artifacts/resource.js';
import type { Excerpt, OtherExchange, ShownEvidence, SiteExchange } from '../../../scanner/trace/kept-evidence.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { countOf } from '../../../platform/counts.js';

/** Where on its page the first line stands that the finding names. */
const NAMED_ID = 'named';

/** Leads to the evidence behind a finding: the site's own words are on that page alone. */
export function EvidenceLink({ shown, href }: { readonly shown: ShownEvidence; readonly href: string }): JSX.Element {
  const { exchanges, omittedCount } = shown;
  const line = exchanges.flatMap(({ excerpt }) => excerpt?.marked ?? [])[0];
  return (
    <p>
      <a href={line === undefined ? href : `${href}#${NAMED_ID}`}>
        Evidence: {countOf(exchanges.length + omittedCount, 'request')}
        {line !== undefined && `, line ${line}`}
      </a>
    </p>
  );
}

/** The answer behind a finding first, in our words: `status 404`. Leads to the rest. */
export function AnswerLink({ shown, href }: { readonly shown: ShownEvidence; readonly href: string }): JSX.Element {
  const [first] = shown.exchanges;
  const answer = first?.exchange.source === 'site' ? describeAnswer(first.exchange) : 'evidence';
  return <a href={href}>{answer}</a>;
}

function describeAnswer({ answer }: SiteExchange): string {
  return 'failure' in answer ? describeFailure(answer.failure).text : `status ${answer.status}`;
}

/** All that is kept of the requests behind a finding; those that only led to them are folded. */
export function Exchanges({ shown }: { readonly shown: ShownEvidence }): JSX.Element {
  const { exchanges, omittedCount } = shown;
  const [near, remote] = [exchanges.filter(({ isRemote }) => !isRemote), exchanges.filter(({ isRemote }) => isRemote)];
  const firstNamed = near.findIndex(({ excerpt }) => excerpt && excerpt.marked.length > 0);
  return (
    <>
      <ol class="exchanges">
        {near.map(({ exchange, excerpt }, index) => (
          <li key={index}>
            {exchange.source === 'site' ? (
              <SiteAnswer number={index + 1} {...{ exchange, excerpt }} isFirstNamed={index === firstNamed} />
            ) : (
              <p>
                <Elsewhere {...exchange} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {remote.length > 0 && (
        <details class="exchanges">
          <summary>{countOf(remote.length + omittedCount, 'further request')} that went into it</summary>
          <ul>
            {remote.map(({ exchange }, index) => (
              <li key={index}>
                {exchange.source === 'site' ? <Brief exchange={exchange} /> : <Elsewhere {...exchange} />}
              </li>
            ))}
          </ul>
          {omittedCount > 0 && <p>{omittedCount} of them are not listed.</p>}
        </details>
      )}
    </>
  );
}

/** `GET https://www.example.com/robots.txt: status 200, 41 ms`. The address is text, not a link. */
function Brief({ exchange }: { readonly exchange: SiteExchange }): JSX.Element {
  const { method, url, hasQuery, durationMs, isControl } = exchange;
  return (
    <>
      <code>
        {method} {visible(url)}
        {hasQuery && '?…'}
      </code>
      {': '}
      {describeAnswer(exchange)}
      {durationMs !== null && `, ${durationMs} ms`}
      {isControl && ' (a control: an address that cannot exist, to compare with)'}
    </>
  );
}

function Elsewhere({ source, outcome }: OtherExchange): JSX.Element {
  return source === 'other host' ? (
    <>A request to a host that is not the site’s: {outcome}. Nothing else of it is kept.</>
  ) : (
    <>A request to an address that is not on the public internet. Nothing of its answer is kept.</>
  );
}

interface SiteAnswerProps {
  readonly exchange: SiteExchange;
  readonly excerpt: Excerpt | null;
  /** From 1. */
  readonly number: number;
  readonly isFirstNamed: boolean;
}

function SiteAnswer({ exchange, excerpt, number, isFirstNamed }: SiteAnswerProps): JSX.Element {
  const { answer } = exchange;
  return (
    <>
      <p>
        <Brief exchange={exchange} />
      </p>
      {'status' in answer && answer.headers.length > 0 && (
        <pre class="words" tabIndex={0} role="region" aria-label={`Header fields of answer ${number}`}>
          <code>{answer.headers.map(([name, value]) => `${name}: ${visible(value)}`).join('\n')}</code>
        </pre>
      )}
      {'status' in answer && answer.body && (
        <p class="soft">
          Body: {answer.body.isOverLimit && 'more than '}
          {countOf(answer.body.byteCount, 'byte')}, SHA-256 <code class="digest">{answer.body.sha256}</code>
        </p>
      )}
      {excerpt && <Words {...{ excerpt, number, isFirstNamed }} />}
      <Snippet text={curlOf(exchange)} label={`command that repeats request ${number}`} />
    </>
  );
}

/** What the site says, with its line numbers. Nobody may take it for ours, nor may it hide anything. */
function Words({
  excerpt,
  number,
  isFirstNamed,
}: Omit<SiteAnswerProps, 'exchange'> & { excerpt: Excerpt }): JSX.Element {
  const { text, firstLine, marked, values = [] } = excerpt;
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return (
    <figure>
      {values.length > 0 && (
        <ul>
          {values.map(({ pointer, line }) => (
            <li key={pointer}>
              Line {line}: {pointer === '' ? 'the whole document' : <code>{visible(pointer)}</code>}
            </li>
          ))}
        </ul>
      )}
      <figcaption>
        {marked.length > 0 ? 'The site’s words around what the finding names' : 'The site’s words at the beginning'};
        what looks like a secret is masked:
      </figcaption>
      <pre class="words" tabIndex={0} role="region" aria-label={`The site’s words in answer ${number}`}>
        {lines.map((line, index) => {
          const at = firstLine + index;
          const isMarked = marked.includes(at);
          return (
            <code key={at} id={isFirstNamed && at === marked[0] ? NAMED_ID : undefined}>
              <span class="line">{at}</span> {isMarked ? <mark>{visible(line)}</mark> : visible(line)}
              {'\n'}
            </code>
          );
        })}
      </pre>
    </figure>
  );
}

/** Control and format characters could hide words or turn them round: each is shown as one that is not known. */
function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\t]/gu, '\uFFFD');
}

/** Repeats the request in a shell of POSIX. curl would read the brackets and braces of an address as a pattern. */
function curlOf({ url, userAgent, accept, sent }: SiteExchange): string {
  const option = (name: string, value: string): string => `${name} ${quoteForShell(value)}`;
  return [
    'curl --globoff --include --max-time 20',
    option('--user-agent', userAgent),
    option('--header', `Accept: ${accept}`),
    ...(sent ? [option('--header', `Content-Type: ${sent.type}`), option('--data', sent.body)] : []),
    quoteForShell(visible(url)),
  ].join(' ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
