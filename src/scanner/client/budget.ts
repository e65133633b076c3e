import type { Priority } from './visit.js';

/** `first`: the first try of a URL. `further`: the next hop of a redirect, or a second try. */
export type RequestKind = 'first' | 'further';

/** The classes of work from last to first dropped, and how many first tries each may need. */
const NEEDS: readonly (readonly [priority: Priority, requests: number])[] = [
  // Requests that the core still makes after the others have begun: about a dozen.
  ['core', 12],
  // 12 entries, 3 children and another host's robots.txt.
  ['sitemapEntries', 16],
  ['llmsLinks', 20],
  ['sameAs', 0],
];

/**
 * The requests of one run: `requestsMax` in all, of which `furtherReserve` are reserved for hops and second tries, and at most
 * `foreignMax` to sites of others.
 */
export class RequestBudget {
  readonly #firstCounts: Record<Priority, number> = { core: 0, sitemapEntries: 0, llmsLinks: 0, sameAs: 0 };
  #foreignCount = 0;
  #count = 0;
  #firstCount = 0;

  constructor(
    readonly requestsMax: number,
    readonly furtherReserve: number,
    readonly foreignMax: number,
  ) {}

  /** Requests taken so far. */
  get count(): number {
    return this.#count;
  }

  /** Takes one request to the site of somebody else; false if none is left. */
  takeForeign(): boolean {
    if (this.#foreignCount >= this.foreignMax) return false;
    this.#foreignCount += 1;
    return true;
  }

  /** Takes one request from the budget; false if none is left for this class. */
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

  /**
   * What a class must leave to the classes ranked before it that have not used their share yet: so the last class is dropped
   * first.
   */
  #floorOf(priority: Priority): number {
    let floor = 0;
    for (const [before, requests] of NEEDS) {
      if (before === priority) break;
      floor += before === 'core' ? requests : Math.max(0, requests - this.#firstCounts[before]);
    }
    return floor;
  }
}
