import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Deadline } from './deadline.js';
import type { SiteRequest } from './request.js';
import type { Priority } from './visit.js';

/** Requests in flight to one address. */
export interface AddressLimits {
  readonly inFlightMax: number;
  /** The same for one scan, after its first 429 or 503 from the address. */
  readonly inFlightMaxSlow: number;
}

const ADDRESS_LIMITS: AddressLimits = {
  inFlightMax: SCAN_LIMITS.addressRequestsMax,
  inFlightMaxSlow: SCAN_LIMITS.slowAddressRequestsMax,
};

/** Slots of an address that scans of other sites may use at the expense of scans of its own site. */
const EXTERNAL_MAX = 2;

const RANKS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 1, llmsLinks: 2, sameAs: 3, guesses: 4 };

/** The requests of one scan, which its deadline identifies, to one address: as its own site or as an external one. */
interface Line {
  readonly scan: Deadline;
  readonly isExternal: boolean;
  inFlightMax: number;
  inFlight: number;
  readonly waiting: Turn[];
}

interface Turn {
  readonly rank: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/**
 * Limits the requests in flight to each IP address, for all scans of a thread. Each scan may always have one, so none starves another. The
 * other slots go to the scan with the fewest. An external site gets one request of a scan at a time.
 */
export class Limiter {
  readonly #lines = new Map<string, Set<Line>>();

  constructor(private readonly limits: AddressLimits = ADDRESS_LIMITS) {}

  /**
   * Waits for a slot and returns a function that frees it. While other scans have slots there, the wait does not count against the
   * deadline. Rejects with the deadline's reason.
   */
  acquire(
    scan: Deadline,
    { address, isExternal, priority }: Pick<SiteRequest, 'address' | 'isExternal' | 'priority'>,
  ): Promise<() => void> {
    const { signal } = scan;
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const line = this.#lineOf(scan, address, isExternal);
    return new Promise((resolve, reject) => {
      let resumeClock = (): void => undefined;
      const start = (): void => {
        line.inFlight += 1;
        resumeClock();
        resolve(() => {
          line.inFlight -= 1;
          this.#startNext(address);
        });
      };
      const refuse = (): void => {
        resumeClock();
        reject(signal.reason as Error);
      };
      const turn: Turn = { rank: RANKS[priority], start, refuse };
      const before = line.waiting.findIndex(({ rank }) => rank > turn.rank);
      line.waiting.splice(before === -1 ? line.waiting.length : before, 0, turn);
      this.#startNext(address);
      // A slow site delays only its own scan.
      if (line.waiting.includes(turn) && this.#isHeldUp(line, address)) resumeClock = scan.pause();
    });
  }

  /** Lowers the limit of the scan at its own site, which asked for fewer requests. */
  slowDown(scan: Deadline, address: string): void {
    if (scan.signal.aborted) return;
    const line = this.#lineOf(scan, address, false);
    line.inFlightMax = Math.min(line.inFlightMax, this.limits.inFlightMaxSlow);
  }

  #lineOf(scan: Deadline, address: string, isExternal: boolean): Line {
    const lines = this.#lines.get(address) ?? new Set();
    this.#lines.set(address, lines);
    const known = [...lines].find((line) => line.scan === scan && line.isExternal === isExternal);
    if (known) return known;
    const inFlightMax = isExternal ? 1 : this.limits.inFlightMax;
    const line: Line = { scan, isExternal, inFlightMax, inFlight: 0, waiting: [] };
    lines.add(line);
    scan.signal.addEventListener('abort', () => {
      lines.delete(line);
      if (lines.size === 0) this.#lines.delete(address);
      for (const { refuse } of line.waiting.splice(0)) refuse();
      this.#startNext(address);
    });
    return line;
  }

  #startNext(address: string): void {
    const lines = [...(this.#lines.get(address) ?? [])];
    for (;;) {
      const isFull = countUsed(lines) >= this.limits.inFlightMax;
      const ready = lines.filter(
        ({ waiting, inFlight, inFlightMax }) => waiting.length > 0 && inFlight < (isFull ? 1 : inFlightMax),
      );
      const [next] = ready.sort((a, b) => a.inFlight - b.inFlight);
      if (!next) return;
      next.waiting.shift()?.start();
    }
  }

  /** True if the scan would have another slot, but for other scans. */
  #isHeldUp({ scan, inFlight, inFlightMax }: Line, address: string): boolean {
    const others = [...(this.#lines.get(address) ?? [])].filter((line) => line.scan !== scan);
    return inFlight < inFlightMax && others.some((line) => line.inFlight > 0);
  }
}

function countUsed(lines: readonly Line[]): number {
  const count = (isExternal: boolean): number =>
    lines.reduce((sum, line) => sum + (line.isExternal === isExternal ? line.inFlight : 0), 0);
  return count(false) + Math.min(EXTERNAL_MAX, count(true));
}
