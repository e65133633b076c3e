/** Scans without a key in an hour, for all who ask. */
const ALL_SCANS_MAX = 600;

/** Until so many are taken, nobody is refused for what others took. */
const SHARED_FROM = ALL_SCANS_MAX / 2;

/** So many are kept for networks that had none. */
const KEPT_FOR_NEWCOMERS = ALL_SCANS_MAX / 10;

/**
 * How many times what is left a network may hold once half is taken, by the length of its prefix. The narrower one is refused before the
 * wider: one household does not cost its provider's other customers their scans.
 */
const SHARES: Readonly<Record<number, number>> = { 56: 1, 48: 1.5, 32: 2, 24: 1 };

/** What a network around the caller's address took in this hour. */
export interface NetworkUse {
  /** The length of its prefix in bits. */
  readonly bits: number;
  readonly used: number;
}

/**
 * Why one more scan is refused; null: it is not. Once half of the hour's scans are taken, a network may hold no more than a multiple of what
 * is left (the "dynamic threshold" of Choudhury and Hahne, IEEE/ACM ToN 6(2), 1998; `FairShare` shares places by it): so a party that took
 * most is refused first, the more of them there are the sooner, and no crowd within one network takes what is left from the others.
 * @param networks those around the caller's address, the widest first
 */
export function refusalByBudget(taken: number, networks: readonly NetworkUse[]): 'all are taken' | 'network' | null {
  if (taken >= ALL_SCANS_MAX) return 'all are taken';
  if (taken < SHARED_FROM || networks[0]?.used === 0) return null;
  const left = Math.max(0, ALL_SCANS_MAX - KEPT_FOR_NEWCOMERS - taken);
  return networks.some(({ bits, used }) => used >= (SHARES[bits] ?? 1) * left) ? 'network' : null;
}
