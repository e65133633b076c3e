import type { JSX } from 'preact';
import { describeFailure } from '../../scanner/artifacts/resource.js';
import type { ShownEvidence, SiteExchange } from '../../scanner/trace/kept-evidence.js';
import { Group } from '../html/mast.js';

export interface RequestsProps {
  /** The site's. */
  readonly origin: string;
  readonly shown: ShownEvidence;
  /** Where they are shown in full. */
  readonly href: string;
}

/** What was asked and how it was answered, in our words: the site's own are on the page of the evidence. */
export function Requests({ origin, shown, href }: RequestsProps): JSX.Element | null {
  const asked = shown.exchanges.flatMap(({ exchange }) => (exchange.source === 'site' ? [exchange] : []));
  if (asked.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="requests">
      <h2 id="requests">
        Requests <span class="soft num">{asked.length + shown.omittedCount}</span>
      </h2>
      <Group level="h3" title="Behind it" meaning={<a href={href}>See them in full</a>}>
        <ol class="items">
          {asked.map((exchange, index) => (
            <li key={index}>
              <span class="num soft">{index + 1}</span>
              <span>{placeOf(exchange, origin)}</span>
              <span>
                <b class={isRefused(exchange) ? 'num is-f' : 'num'}>{answerOf(exchange)}</b>
                {exchange.durationMs !== null && <span class="soft small"> {exchange.durationMs} ms</span>}
              </span>
            </li>
          ))}
        </ol>
      </Group>
    </section>
  );
}

/** The home page, or a word for where the site led to, which it chose itself. */
function placeOf({ url, isControl }: SiteExchange, origin: string): string {
  if (isControl) return 'A control, to compare with';
  return url === `${origin}/` ? 'The home page' : 'Another address of the site';
}

/** Whether it did not get what it asked for. That something is not there, as 404 says, is an answer. */
function isRefused({ answer, isControl }: SiteExchange): boolean {
  return !isControl && ('failure' in answer || (answer.status >= 400 && answer.status !== 404));
}

function answerOf({ answer }: SiteExchange): string {
  return 'failure' in answer ? describeFailure(answer.failure).text : String(answer.status);
}
