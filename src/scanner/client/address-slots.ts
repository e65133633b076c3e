import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Priority } from './visit.js';

/** Requests in flight to one address. */
export interface AddressLimits {
  readonly inFlightMax: number;
  /** Of one visit, after its first 429 or 503 from there. */
  readonly inFlightMaxSlow: number;
}

export const ADDRESS_LIMITS: AddressLimits = {
  inFlightMax: SCAN_LIMITS.addressRequestsMax,
  inFlightMaxSlow: SCAN_LIMITS.slowAddressRequestsMax,
};

/** Other processes that scan too: an address is shared with those that use it at the same time. */
export interface Peers {
  /** The first visit has come to the address; after the last has left, `leave`. Calls back if others had to be asked first. */
  enter(address: string, onCounted: () => void): void;
  leave(address: string): void;
  /** How many processes use the address now, this one included: Infinity as long as that is not known. */
  countAt(address: string): number;
}

export const NO_PEERS: Peers = { enter: () => undefined, leave: () => undefined, countAt: () => 1 };

/** How many of an address's slots requests to sites of others may take from its own visits. */
const FOREIGN_MAX = 2;

const RANKS: Readonly<Record<Priority, number>> = { core: 0, sitemapEntries: 1, llmsLinks: 2, sameAs: 3 };

interface Waiting {
  readonly rank: number;
  readonly start: () => void;
}

/** One visit at one address: its requests to its own site, or those to sites of others. */
interface SlotQueue {
  readonly visit: VisitSlots;
  readonly isForeign: boolean;
  readonly waiting: Waiting[];
  inFlightMax: number;
  inFlight: number;
}

/**
 * The slots of all addresses in use: one instance per process, so that its runs share them. Every visit may always have one request in
 * flight to an address, so none can starve another; further ones go in turn, first to those who proved that the site is theirs, and fairly
 * between the parties whose scans they are. A site of others gets one request of a visit at a time.
 */
export class AddressSlots {
  readonly #addresses = new Map<string, Set<SlotQueue>>();

  constructor(
    readonly limits: AddressLimits = ADDRESS_LIMITS,
    private readonly peers: Peers = NO_PEERS,
  ) {}

  join(address: string, visit: VisitSlots, isForeign: boolean): SlotQueue {
    const queues = this.#addresses.get(address) ?? new Set();
    if (queues.size === 0) this.peers.enter(address, () => this.fill(address));
    this.#addresses.set(address, queues);
    const inFlightMax = isForeign ? 1 : this.limits.inFlightMax;
    const queue: SlotQueue = { visit, isForeign, waiting: [], inFlightMax, inFlight: 0 };
    queues.add(queue);
    return queue;
  }

  leave(address: string, queue: SlotQueue): void {
    const queues = this.#addresses.get(address);
    if (!queues?.delete(queue)) return;
    this.fill(address);
    if (queues.size > 0) return;
    this.#addresses.delete(address);
    this.peers.leave(address);
  }

  /** Starts what may start, and tells each visit whether it waits for others here. */
  fill(address: string): void {
    const queues = [...(this.#addresses.get(address) ?? [])];
    const peers = this.peers.countAt(address);
    for (;;) {
      const use = countUse(queues);
      const share = Math.max(1, Math.floor(this.limits.inFlightMax / peers));
      const next = queues
        .filter((queue) => mayStart(queue, share - takenFrom(queue, use, share)))
        .sort((a, b) => byTurn(a, b, use))[0];
      if (!next) break;
      next.inFlight += 1;
      next.waiting.shift()?.start();
    }
    for (const queue of queues) {
      const isShort = queue.waiting.length > 0 && queue.inFlight < queue.inFlightMax;
      // A site that is slow to answer holds up nobody but itself.
      const isByOthers = peers > 1 || queues.some(({ visit, inFlight }) => visit !== queue.visit && inFlight > 0);
      queue.visit.setHeldUp(queue, isShort && isByOthers);
    }
  }
}

/** Requests in flight at an address: those to sites of others, and the rest by whose scans they are, with how many visits have any. */
interface Use {
  readonly foreign: number;
  readonly byParty: ReadonlyMap<string, { readonly inFlight: number; readonly visits: number }>;
}

function countUse(queues: readonly SlotQueue[]): Use {
  const byParty = new Map<string, { inFlight: number; visits: number }>();
  let foreign = 0;
  for (const { isForeign, inFlight, visit } of queues) {
    if (isForeign) foreign += inFlight;
    else {
      const party = byParty.get(visit.party) ?? { inFlight: 0, visits: 0 };
      byParty.set(visit.party, { inFlight: party.inFlight + inFlight, visits: party.visits + Math.min(1, inFlight) });
    }
  }
  return { foreign, byParty };
}

/**
 * How many of this process's slots a queue finds taken. Each visit may always have one request in flight; those first ones count in full in
 * the queue's own party, and for at most half of the slots in any other.
 */
function takenFrom({ visit }: SlotQueue, { foreign, byParty }: Use, share: number): number {
  let taken = Math.min(FOREIGN_MAX, foreign);
  for (const [party, { inFlight, visits }] of byParty) {
    const firsts = party === visit.party ? visits : Math.min(Math.ceil(share / 2), visits);
    taken += inFlight - visits + firsts;
  }
  return taken;
}

function mayStart({ waiting, inFlight, inFlightMax }: SlotQueue, free: number): boolean {
  return waiting.length > 0 && inFlight < inFlightMax && (inFlight === 0 || free > 0);
}

/** Those without any come first; then the owners of sites; then the parties with fewest, and of each the visit with fewest. */
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
    /** Whose scan it is, such as an account. */
    readonly party: string,
    readonly isOwnershipVerified: boolean,
    /** Hears when the visit begins to wait for slots that others hold, and when it does so no more. */
    private readonly onHeldUp: (isHeldUp: boolean) => void,
  ) {}

  /** Waits for a slot and returns a function that frees it. Rejects with the signal's reason. */
  acquire(address: string, isForeign: boolean, priority: Priority, signal: AbortSignal): Promise<() => void> {
    // A lookup may end after the visit: who has left must not come back, since nobody would make it leave again.
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const queue = this.#queueAt(address, isForeign);
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

  /** The site asked for fewer requests: from now on only a few are in flight. */
  slowDown(address: string, isForeign: boolean): void {
    if (this.#isLeft) return;
    const queue = this.#queueAt(address, isForeign);
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

  #queueAt(address: string, isForeign: boolean): SlotQueue {
    const key = keyOf(address, isForeign);
    const queue = this.#queues.get(key) ?? this.slots.join(address, this, isForeign);
    this.#queues.set(key, queue);
    return queue;
  }
}

function keyOf(address: string, isForeign: boolean): string {
  return `${isForeign ? 'foreign' : 'own'} ${address}`;
}

function addressOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
