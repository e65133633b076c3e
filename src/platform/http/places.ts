import { subjectOfAddress } from '../client-address.js';

/** How many places there are in all, and how many of them one address may hold. */
export interface PlaceLimits {
  readonly total: number;
  readonly perAddress: number;
}

export const UNLIMITED: PlaceLimits = { total: Infinity, perAddress: Infinity };

/** Counts what clients hold at a time, such as connections or streams. */
export class Places {
  readonly #held = new Map<string, number>();
  #count = 0;

  constructor(readonly limits: PlaceLimits) {}

  /** How many places are taken. */
  get count(): number {
    return this.#count;
  }

  /** Takes a place for this IP address; IPv6 counts by its /64. @returns what frees it, or null where none is left */
  take(address: string): (() => void) | null {
    const subject = subjectOfAddress(address);
    const held = this.#held.get(subject) ?? 0;
    if (this.#count >= this.limits.total || held >= this.limits.perAddress) return null;
    this.#add(subject, 1);
    let isFreed = false;
    return () => {
      if (!isFreed) this.#add(subject, -1);
      isFreed = true;
    };
  }

  #add(subject: string, change: 1 | -1): void {
    this.#count += change;
    const held = (this.#held.get(subject) ?? 0) + change;
    if (held > 0) this.#held.set(subject, held);
    else this.#held.delete(subject);
  }
}
