/** A party may use this many times the slots that are still free. */
const SHARE = 3;
/** One slot of this many is for parties that use none. */
const NEWCOMERS = 4;

export interface ShareOptions {
  /** Slots that only one party may use. */
  readonly reserved?: { readonly party: string; readonly slots: number };
  /** The most slots of one party, however many are free. */
  readonly perParty?: number;
}

/**
 * Decides which party may use another slot, so that no party starves the others although nothing that runs is interrupted. A party may
 * use three times as many slots as are still free (the "dynamic threshold" of Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998): alone, it
 * gets more than half; the more parties, the less each. Only parties that use no slot get the last quarter.
 */
export class FairShare {
  readonly #slots = new Map<string, number>();
  #used = 0;

  constructor(
    readonly capacity: number,
    private readonly options: ShareOptions = {},
  ) {}

  /** Slots in use. */
  get used(): number {
    return this.#used;
  }

  usedBy(party: string): number {
    return this.#slots.get(party) ?? 0;
  }

  mayAcquire(party: string): boolean {
    const free = this.capacity - this.#used - this.#reservedFrom(party);
    const used = this.usedBy(party);
    if (free <= 0 || used >= (this.options.perParty ?? Infinity)) return false;
    return used === 0 || used < SHARE * (free - Math.floor(this.capacity / NEWCOMERS));
  }

  /** Takes a slot. @returns a function that frees it; only its first call counts */
  acquire(party: string): () => void {
    this.#add(party, 1);
    let isFree = false;
    return () => {
      if (!isFree) this.#add(party, -1);
      isFree = true;
    };
  }

  /** Parties that use slots and may not have another. */
  get fullParties(): string[] {
    return [...this.#slots.keys()].filter((party) => !this.mayAcquire(party));
  }

  #add(party: string, change: 1 | -1): void {
    this.#used += change;
    const used = this.usedBy(party) + change;
    if (used > 0) this.#slots.set(party, used);
    else this.#slots.delete(party);
  }

  /** Reserved slots that are still free, if they are another party's. */
  #reservedFrom(party: string): number {
    const { reserved } = this.options;
    if (!reserved || party === reserved.party) return 0;
    return Math.max(0, reserved.slots - this.usedBy(reserved.party));
  }
}
