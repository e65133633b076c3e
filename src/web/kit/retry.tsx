import type { JSX } from 'preact';
import { queryOf, type WebContext } from './context.js';
import type { Reload } from './page.js';

/** How often a page that found the service busy is asked for before it leaves that to the reader. */
const TRIES_MAX = 5;

/** The parameter that counts them. */
const TRIED = 'tried';

export interface Retry extends Reload {
  /** This one among them. */
  readonly tried: number;
  /** The same page again, relative to itself: whatever its path is, it leads to no other host. */
  readonly href: string;
  /** After how many seconds the page goes there by itself; null after the last try. */
  readonly afterS: number | null;
}

/** What a page does that found the service busy. */
export function retryOf(ctx: WebContext, afterS: number): Retry {
  const given = queryOf(ctx, TRIED);
  const tried = /^[1-9]$/.test(given) ? Math.min(Number(given), TRIES_MAX) : 1;
  const query = new URLSearchParams(ctx.querystring);
  query.delete(TRIED);
  if (tried < TRIES_MAX) query.set(TRIED, String(tried + 1));
  return { tried, href: `?${query.toString()}`, afterS: tried < TRIES_MAX ? afterS : null };
}

/** Says when the page tries again, and how often it has. */
export function RetryWords({ tried, href, afterS }: Retry): JSX.Element {
  if (afterS === null) {
    return (
      <p class="row">
        <a class="btn" href={href}>
          Try again
        </a>
        <span class="soft">Tried {TRIES_MAX} times by itself.</span>
      </p>
    );
  }
  return (
    <p class="row" role="status" data-again={href} data-after={afterS}>
      <a class="btn" href={href}>
        Try now
      </a>
      <span class="soft">
        Tries again by itself in <b class="num">{afterS}</b> seconds, {tried} of {TRIES_MAX} times so far.
      </span>
    </p>
  );
}
