import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Priority } from './visit.js';

/** Requests in flight to one address. */
export interface AddressLimits {
  readonly inFlightMax: number;
  /** The same for one visit, after its first 429 or 503 from the address. */
  readonly inFlightMaxSlow: number;
}

export const ADDRESS_LIMITS: AddressLimits = {
  inFlightMax: SCAN_LIMITS.addressRequestsMax,
  inFlightMaxSlow: SCAN_LIMITS.slowAddressRequestsMax,
};

/** Slots of an address that scans of other sites may use at the expense of scans of its own site. */
const EXTERNAL_MAX = 2;

const RANKS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 1, llmsLinks: 2, sameAs: 3, guesses: 4 };

interface Waiting {
  readonly rank: number;
  readonly start: () => void;
}

/** The requests of one visit to one address: either to the scanned site or to external sites. */
interface SlotQueue {
  readonly visit: VisitSlots;
  readonly isExternal: boolean;
  readonly waiting: Waiting[];
  inFlightMax: number;
  inFlight: number;
}

/**
 * Limits requests in flight per IP address: one instance per scan thread, shared by its scans. Every visit may always have one request in
 * flight to an address, so no visit can starve another. Further slots go to verified owners first, then evenly across accounts. An
 * external site gets at most one request of a visit at a time.
 */
export class AddressSlots {
  readonly #addresses = new Map<string, Set<SlotQueue>>();

  constructor(readonly limits: AddressLimits = ADDRESS_LIMITS) {}

  join(address: string, visit: VisitSlots, isExternal: boolean): SlotQueue {
    const queues = this.#addresses.get(address) ?? new Set();
    this.#addresses.set(address, queues);
    const inFlightMax = isExternal ? 1 : this.limits.inFlightMax;
    const queue: SlotQueue = { visit, isExternal, waiting: [], inFlightMax, inFlight: 0 };
    queues.add(queue);
    return queue;
  }

  leave(address: string, queue: SlotQueue): void {
    const queues = this.#addresses.get(address);
    if (!queues?.delete(queue)) return;
    this.fill(address);
    if (queues.size === 0) this.#addresses.delete(address);
  }

  /** Starts every request that may start, and tells each visit whether it waits for other visits at this address. */
  fill(address: string): void {
    const queues = [...(this.#addresses.get(address) ?? [])];
    const { inFlightMax } = this.limits;
    for (;;) {
      const use = countUse(queues);
      const next = queues
        .filter((queue) => mayStart(queue, inFlightMax - takenFrom(queue, use, inFlightMax)))
        .sort((a, b) => byTurn(a, b, use))[0];
      if (!next) break;
      next.inFlight += 1;
      next.waiting.shift()?.start();
    }
    for (const queue of queues) {
      const isShort = queue.waiting.length > 0 && queue.inFlight < queue.inFlightMax;
      // A slow site delays only its own scan.
      const isByOthers = queues.some(({ visit, inFlight }) => visit !== queue.visit && inFlight > 0);
      queue.visit.setHeldUp(queue, isShort && isByOthers);
    }
  }
}

/** Requests in flight at an address: external ones, and the rest by account, with the number of visits that have any. */
interface Use {
  readonly external: number;
  readonly byParty: ReadonlyMap<string, { readonly inFlight: number; readonly visits: number }>;
}

function countUse(queues: readonly SlotQueue[]): Use {
  const byParty = new Map<string, { inFlight: number; visits: number }>();
  let external = 0;
  for (const { isExternal, inFlight, visit } of queues) {
    if (isExternal) external += inFlight;
    else {
      const party = byParty.get(visit.party) ?? { inFlight: 0, visits: 0 };
      byParty.set(visit.party, { inFlight: party.inFlight + inFlight, visits: party.visits + Math.min(1, inFlight) });
    }
  }
  return { external, byParty };
}

/**
 * Counts the slots in use, as far as they limit this queue. The one request that each visit may always have counts in full for
 * the queue's own account, and for at most half of the slots for every other account.
 */
function takenFrom({ visit }: SlotQueue, { external, byParty }: Use, inFlightMax: number): number {
  let taken = Math.min(EXTERNAL_MAX, external);
  for (const [party, { inFlight, visits }] of byParty) {
    const firsts = party === visit.party ? visits : Math.min(Math.ceil(inFlightMax / 2), visits);
    taken += inFlight - visits + firsts;
  }
  return taken;
}

function mayStart({ waiting, inFlight, inFlightMax }: SlotQueue, free: number): boolean {
  return waiting.length > 0 && inFlight < inFlightMax && (inFlight === 0 || free > 0);
}

/** Orders visits: without a slot, then verified owners, then the account with the fewest slots, then the visit with the fewest. */
function byTurn(a: SlotQueue, b: SlotQueue, { byParty }: Use): number {
  return (
    Number(b.inFlight === 0) - Number(a.inFlight === 0) ||
    Number(b.visit.isOwnershipVerified) - Number(a.visit.isOwnershipVerified) ||
    (byParty.get(a.visit.party)?.inFlight ?? 0) - (byParty.get(b.visit.party)?.inFlight ?? 0) ||
    a.inFlight - b.inFlight
  );
}

/** The slots of one visit. */
export class VisitSlots {
  readonly #queues = new Map<string, SlotQueue>();
  readonly #heldUp = new Set<SlotQueue>();
  #isLeft = false;

  constructor(
    private readonly slots: AddressSlots,
    /** Owner of the scan, such as an account. */
    readonly party: string,
    readonly isOwnershipVerified: boolean,
    /** Called when the visit starts or stops waiting for slots that other visits use. */
    private readonly onHeldUp: (isHeldUp: boolean) => void,
  ) {}

  /** Waits for a slot and returns a function that frees it. Rejects with the signal's reason. */
  acquire(address: string, isExternal: boolean, priority: Priority, signal: AbortSignal): Promise<() => void> {
    // A DNS lookup may finish after the visit. A queue added then would never be removed.
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const queue = this.#queueAt(address, isExternal);
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        this.slots.fill(address);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        rank: RANKS[priority],
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(() => {
            queue.inFlight -= 1;
            this.slots.fill(address);
          });
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const before = queue.waiting.findIndex(({ rank }) => rank > waiting.rank);
      queue.waiting.splice(before === -1 ? queue.waiting.length : before, 0, waiting);
      this.slots.fill(address);
    });
  }

  /** Lowers the limit for the rest of the visit, after the site asked for fewer requests. */
  slowDown(address: string, isExternal: boolean): void {
    if (this.#isLeft) return;
    const queue = this.#queueAt(address, isExternal);
    queue.inFlightMax = Math.min(queue.inFlightMax, this.slots.limits.inFlightMaxSlow);
  }

  setHeldUp(queue: SlotQueue, isHeldUp: boolean): void {
    const before = this.#heldUp.size > 0;
    if (isHeldUp) this.#heldUp.add(queue);
    else this.#heldUp.delete(queue);
    if (before !== this.#heldUp.size > 0) this.onHeldUp(!before);
  }

  leaveAll(): void {
    this.#isLeft = true;
    for (const [key, queue] of this.#queues) this.slots.leave(addressOf(key), queue);
    this.#queues.clear();
  }

  #queueAt(address: string, isExternal: boolean): SlotQueue {
    const key = keyOf(address, isExternal);
    const queue = this.#queues.get(key) ?? this.slots.join(address, this, isExternal);
    this.#queues.set(key, queue);
    return queue;
  }
}

function keyOf(address: string, isExternal: boolean): string {
  return `${isExternal ? 'external' : 'own'} ${address}`;
}

function addressOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
