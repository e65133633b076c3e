import type { Priority } from './visit.js';

/** `first`: the first try of a URL. `further`: a redirect's next hop, or a second try. */
export type RequestKind = 'first' | 'further';

/**
 * What each class of work leaves to those before it, so that the last is dropped first: llms.txt links leave room for the 12
 * entries and 3 children of a sitemap and a dozen requests of the core, sameAs for 20 llms.txt links besides.
 */
const FLOORS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 12, llmsLinks: 28, sameAs: 48 };

/** The requests of one run: `requestsMax` in all, `furtherReserve` of them kept for hops and second tries. */
export class RequestBudget {
  #count = 0;
  #firstCount = 0;

  constructor(
    readonly requestsMax: number,
    readonly furtherReserve: number,
  ) {}

  /** Requests taken so far. */
  get count(): number {
    return this.#count;
  }

  /** Takes one request out of the budget; false when there is none left for this class. */
  take(kind: RequestKind, priority: Priority): boolean {
    const left = this.requestsMax - this.#count;
    const firstLeft = this.requestsMax - this.furtherReserve - this.#firstCount;
    if ((kind === 'first' ? Math.min(left, firstLeft) : left) <= FLOORS[priority]) return false;
    this.#count += 1;
    if (kind === 'first') this.#firstCount += 1;
    return true;
  }
}
