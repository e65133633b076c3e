import { countOf } from '../../scanner/artifacts/counts.js';
import { describeFailure } from '../../scanner/artifacts/resource.js';
import type { Excerpt, ShownEvidence, ShownExchange, SiteExchange } from '../../scanner/trace/stored-evidence.js';
import { formatDay, Icon, Snippet } from '../html/text.js';
import { Group, LinkButton } from '../html/sections.js';
import { addressOf } from '../server/paths.js';
import type { OwnReport } from './run-report.js';

/** An answer of the site with its stored excerpt. */
interface Quotation {
  readonly exchange: SiteExchange;
  readonly excerpt: Excerpt;
}

/** Returns the excerpt that the finding refers to, or else the first one; null if there is none. */
export function findQuotation({ exchanges }: ShownEvidence): Quotation | null {
  const quoted = exchanges.flatMap(({ exchange, excerpt, isRelated }) =>
    exchange.source === 'site' && excerpt && !isRelated && !exchange.isControl ? [{ exchange, excerpt }] : [],
  );
  return quoted.find(({ excerpt }) => excerpt.marked.length > 0) ?? quoted[0] ?? null;
}

type QuoteProps = Quotation & { readonly origin: string };

/** Shows an excerpt of the site's text with line numbers, below its source. */
export function Quote({ exchange, excerpt, origin }: QuoteProps) {
  const { marked, values = [] } = excerpt;
  const more = marked.length > LISTED_LINES_MAX ? ', …' : '';
  const lineLabel = `${marked.length === 1 ? 'line' : 'lines'} ${marked.slice(0, LISTED_LINES_MAX).join(', ')}${more}`;
  return (
    <>
      <div class="code lite">
        <p class="source">
          <span>
            Your site’s own words, from <b>{shortAddress(exchange, origin)}</b>
          </span>
          <span>{marked.length > 0 ? lineLabel : 'the beginning'}</span>
        </p>
        <pre>
          <code>
            {numberedLines(excerpt).map(([number, line]) => {
              const content = (
                <>
                  <span class="ln">{number}</span>
                  {replaceInvisible(line)}
                  {'\n'}
                </>
              );
              return marked.includes(number) ? (
                <mark key={number} class="bad">
                  {content}
                </mark>
              ) : (
                <span key={number}>{content}</span>
              );
            })}
          </code>
        </pre>
      </div>
      {values.length > 0 && (
        <ul class="small">
          {values.map(({ pointer, line }) => (
            <li key={pointer}>
              Line {line}: {pointer === '' ? 'the whole document' : <code>{replaceInvisible(pointer)}</code>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Most marked lines whose numbers are listed above the excerpt. */
const LISTED_LINES_MAX = 4;

/** Most lines shown of an excerpt, and how many of these precede the first marked one. The HAR file has every line. */
const LINES_MAX = 48;
const LINES_BEFORE = 12;

function numberedLines({ text, firstLine, marked }: Excerpt): readonly (readonly [number, string])[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const first = Math.max(0, (marked[0] ?? firstLine) - firstLine - LINES_BEFORE);
  return lines.slice(first, first + LINES_MAX).map((line, index) => [firstLine + first + index, line] as const);
}

interface EvidenceProps {
  readonly own: OwnReport;
  readonly shown: ShownEvidence;
  /** When the evidence is deleted: ISO 8601, UTC. */
  readonly deletedAt: string;
  /** The excerpt that the page already shows; null if none. */
  readonly quoted: Quotation | null;
}

export function Evidence({ own: { site, run }, shown, deletedAt, quoted }: EvidenceProps) {
  const { exchanges, omittedCount } = shown;
  return (
    <section class="sec" aria-labelledby="requests">
      <h2 id="requests">
        Requests <span class="soft num">{exchanges.length}</span>
      </h2>
      <p class="soft">
        Visible only to you as the verified owner. No cookies or credentials are stored. Kept until{' '}
        {formatDay(deletedAt, '')}.{omittedCount > 0 && ` Not listed: ${countOf(omittedCount, 'further request')}.`}
      </p>
      {GROUPS.map(([name, meaning]) => {
        const group = exchanges.filter((exchange) => groupOf(exchange) === name);
        return (
          group.length > 0 && (
            <Group key={name} level="h3" title={name} meaning={meaning}>
              {group.map((shownExchange) => {
                const number = exchanges.indexOf(shownExchange) + 1;
                const isQuoted = quoted !== null && shownExchange.excerpt === quoted.excerpt;
                return <Request key={number} {...{ number, shownExchange, isQuoted }} origin={site.origin} />;
              })}
            </Group>
          )
        );
      })}
      <p class="row more">
        <LinkButton
          kind="quiet"
          isTight
          icon="download"
          href={addressOf.evidenceFile(site.id, run.response.run.number)}
          label="Download the run’s evidence (HAR)"
        />
      </p>
    </section>
  );
}

const GROUPS = [
  ['Evidence', 'the basis of the verdict'],
  ['Control', 'a URL that can’t exist'],
  ['Related', 'requests that led to the evidence'],
] as const;

function groupOf({ exchange, isRelated }: ShownExchange): (typeof GROUPS)[number][0] {
  if (isRelated) return 'Related';
  return exchange.isControl ? 'Control' : 'Evidence';
}

interface RequestProps {
  /** Starts at 1. */
  readonly number: number;
  readonly shownExchange: ShownExchange;
  readonly origin: string;
  /** True if the page already shows its excerpt. */
  readonly isQuoted: boolean;
}

function Request({ number, shownExchange: { exchange, excerpt }, isQuoted, origin }: RequestProps) {
  if (exchange.source !== 'site') {
    const isPrivate = exchange.source === 'private address';
    return (
      <p>
        A request to {isPrivate ? 'a private address' : `a host other than the site’s: ${exchange.outcome}`}.{' '}
        <span class="soft">Nothing else is stored.</span>
      </p>
    );
  }
  const { answer, durationMs } = exchange;
  return (
    <details class="finding">
      <summary>
        <Icon name="globe" />
        <span class="mono w6">
          {exchange.method} {shortAddress(exchange, origin)}
        </span>
        {'failure' in answer && <span class="d small">{describeFailure(answer.failure).text}</span>}
        <span class="gain">
          <span>
            <b>{'status' in answer ? answer.status : 'no answer'}</b>
            {durationMs !== null && <small>{durationMs} ms</small>}
          </span>
          <Icon name="right" />
        </span>
      </summary>
      <div class="inside">
        <Traffic exchange={exchange} />
        {excerpt && !isQuoted && <Quote exchange={exchange} excerpt={excerpt} origin={origin} />}
        <Snippet text={curlCommand(exchange)} label={`command that repeats request ${number}`} />
      </div>
    </details>
  );
}

/** Shows the request and the stored parts of the response: its header fields and the size of its body. */
function Traffic({ exchange }: { readonly exchange: SiteExchange }) {
  const { method, url, userAgent, accept, answer } = exchange;
  const sent = [`> ${method} ${replaceInvisible(url)}`, `> user-agent: ${userAgent}`, `> accept: ${accept}`];
  return (
    <div class="code lite">
      <pre>
        <code>
          <span class="dim">{sent.join('\n')}</span>
          {`\n${receivedLines(answer).join('\n')}`}
        </code>
      </pre>
    </div>
  );
}

function receivedLines(answer: SiteExchange['answer']): readonly string[] {
  if ('failure' in answer) return [`< ${describeFailure(answer.failure).text}`];
  const { status, headers, body } = answer;
  const fields = headers.map(([name, value]) => `< ${name}: ${replaceInvisible(value)}`);
  const size = body && `< (${body.isOverLimit ? 'more than ' : ''}${countOf(body.byteCount, 'byte')})`;
  return [`< ${status}`, ...fields, ...(size === null ? [] : [size])];
}

/** Replaces control and format characters, which could hide or reorder words. */
function replaceInvisible(text: string): string {
  return text.replaceAll(/[^\P{C}\t]/gu, '\uFFFD');
}

/** Longer addresses are cut, so that they do not fill the page. */
const ADDRESS_CHARS_MAX = 120;

/** Returns the path if the request went to the site's own origin, or else the URL. Queries are not stored. */
function shortAddress({ url, hasQuery }: SiteExchange, origin: string): string {
  const short = url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const shown = replaceInvisible(short);
  return `${shown.length > ADDRESS_CHARS_MAX ? `${shown.slice(0, ADDRESS_CHARS_MAX)}…` : shown}${hasQuery ? '?…' : ''}`;
}

/** Returns the POSIX shell command that repeats the request. Without --globoff, curl reads brackets and braces as a pattern. */
function curlCommand({ url, userAgent, accept, sent }: SiteExchange): string {
  const option = (name: string, value: string): string => `${name} ${quoteForShell(value)}`;
  return [
    'curl --globoff --include --max-time 20',
    option('--user-agent', userAgent),
    option('--header', `Accept: ${accept}`),
    ...(sent ? [option('--header', `Content-Type: ${sent.type}`), option('--data', sent.body)] : []),
    quoteForShell(replaceInvisible(url)),
  ].join(' ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
