import type { JSX } from 'preact';
import type { Excerpt, ShownEvidence, SiteExchange } from '../../scanner/trace/kept-evidence.js';
import { shortAddress, visible } from './words.js';

/** The element of the first line that the finding names. */
const NAMED_ID = 'named';

/** An answer of the site with its stored excerpt. */
interface Quoted {
  readonly exchange: SiteExchange;
  readonly excerpt: Excerpt;
}

/** Returns the quote to show first: the place that the finding names, or else the beginning of the deciding answer; null if there is none. */
export function quotedOf({ exchanges }: ShownEvidence): Quoted | null {
  const quoted = exchanges.flatMap(({ exchange, excerpt, isRemote }) =>
    exchange.source === 'site' && excerpt && !isRemote && !exchange.isControl ? [{ exchange, excerpt }] : [],
  );
  return quoted.find(({ excerpt }) => excerpt.marked.length > 0) ?? quoted[0] ?? null;
}

export interface QuoteProps extends Quoted {
  readonly origin: string;
  /** True if links lead to the first line that the finding names. */
  readonly isNamed?: boolean;
}

/** Quotes the site with line numbers, below a line that says that these are not our words. */
export function Quote({ exchange, excerpt, origin, isNamed = false }: QuoteProps): JSX.Element {
  const { text, firstLine, marked, values = [] } = excerpt;
  const lines = numberedLines(text, firstLine, marked[0]);
  return (
    <>
      <div class="code lite">
        <p class="whose">
          <span>
            Your site’s own words, from <b>{shortAddress(exchange, origin)}</b>
          </span>
          <span>{marked.length > 0 ? describeLines(marked) : 'its beginning'}</span>
        </p>
        <pre>
          <code>
            {lines.map(([at, line]) => {
              const content = (
                <>
                  <span class="ln">{at}</span>
                  {visible(line)}
                  {'\n'}
                </>
              );
              return marked.includes(at) ? (
                <mark key={at} class="bad" id={isNamed && at === marked[0] ? NAMED_ID : undefined}>
                  {content}
                </mark>
              ) : (
                <span key={at}>{content}</span>
              );
            })}
          </code>
        </pre>
      </div>
      {values.length > 0 && (
        <ul class="small">
          {values.map(({ pointer, line }) => (
            <li key={pointer}>
              Line {line}: {pointer === '' ? 'the whole document' : <code>{visible(pointer)}</code>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Lines shown of an excerpt, and of these before the first named one. The HAR file has all. */
const LINES_MAX = 48;
const LINES_BEFORE = 12;

function numberedLines(text: string, firstLine: number, named = firstLine): readonly (readonly [number, string])[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const first = Math.max(0, named - firstLine - LINES_BEFORE);
  return lines.slice(first, first + LINES_MAX).map((line, index) => [firstLine + first + index, line] as const);
}

/** Further named lines are marked, but not listed. */
const LISTED_LINES_MAX = 4;

function describeLines(lines: readonly number[]): string {
  const shown = lines.slice(0, LISTED_LINES_MAX).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${lines.length > LISTED_LINES_MAX ? ', …' : ''}`;
}
