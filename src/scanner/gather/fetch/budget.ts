import type { Priority } from './visit.js';

/** `first`: the first try of a URL. `further`: a redirect's next hop, or a second try. */
export type RequestKind = 'first' | 'further';

/** The classes of work in the order in which they are kept, and how many first tries each of them may come to need. */
const NEEDS: readonly (readonly [priority: Priority, requests: number])[] = [
  // What the core still asks for after the others have begun: about a dozen.
  ['core', 12],
  // 12 entries, 3 children and a robots.txt of another host.
  ['sitemapEntries', 16],
  ['llmsLinks', 20],
  ['sameAs', 0],
];

/** The requests of one run: `requestsMax` in all, `furtherReserve` of them kept for hops and second tries. */
export class RequestBudget {
  readonly #firstCounts: Record<Priority, number> = { core: 0, sitemapEntries: 0, llmsLinks: 0, sameAs: 0 };
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
    if ((kind === 'first' ? Math.min(left, firstLeft) : left) <= this.#floorOf(priority)) return false;
    this.#count += 1;
    if (kind === 'first') {
      this.#firstCount += 1;
      this.#firstCounts[priority] += 1;
    }
    return true;
  }

  /** What a class leaves to those that are kept before it, as far as they have not had it yet: so the last is dropped first. */
  #floorOf(priority: Priority): number {
    let floor = 0;
    for (const [before, requests] of NEEDS) {
      if (before === priority) break;
      floor += before === 'core' ? requests : Math.max(0, requests - this.#firstCounts[before]);
    }
    return floor;
  }
}
