/** How much more than what is left over one party may hold. */
const SHARE = 3;
/** One place of so many is for parties that hold none. */
const NEWCOMERS = 4;

/** Places that are kept for one party, however many the others want. */
export interface KeptPlaces {
  readonly party: string;
  readonly places: number;
}

/**
 * Who may take another place, so that no party starves the others though nothing that runs is interrupted. A party may hold three
 * times as many places as are still free (the "dynamic threshold" of Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998): alone, it gets more
 * than half, and the more parties there are, the less each. A quarter is never given to a party that already holds one.
 */
export class FairShare {
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(
    readonly capacity: number,
    private readonly kept: KeptPlaces | null = null,
  ) {}

  /** How many places are taken. */
  get taken(): number {
    return this.#taken;
  }

  heldBy(party: string): number {
    return this.#held.get(party) ?? 0;
  }

  /** @param party null: work of no party, which only needs a free place */
  mayTake(party: string | null): boolean {
    const free = this.capacity - this.#taken - this.#keptFrom(party);
    if (free <= 0) return false;
    const held = party === null ? 0 : this.heldBy(party);
    return held === 0 || held < SHARE * (free - Math.floor(this.capacity / NEWCOMERS));
  }

  /** Takes a place. @returns what frees it, to be called once */
  take(party: string | null): () => void {
    this.#add(party, 1);
    return () => this.#add(party, -1);
  }

  /** Those that hold places and may not take another. */
  get fullParties(): string[] {
    return [...this.#held.keys()].filter((party) => !this.mayTake(party));
  }

  #add(party: string | null, places: 1 | -1): void {
    this.#taken += places;
    if (party === null) return;
    const held = this.heldBy(party) + places;
    if (held > 0) this.#held.set(party, held);
    else this.#held.delete(party);
  }

  /** What is left of the kept places, where another party asks. */
  #keptFrom(party: string | null): number {
    if (this.kept === null || party === this.kept.party) return 0;
    return Math.max(0, this.kept.places - this.heldBy(this.kept.party));
  }
}
