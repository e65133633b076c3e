/** An item that represents `weight` items of the full list, including itself. */
export interface Weighted {
  readonly weight: number;
}

/**
 * Picks at most `most` evenly spaced items, in order, including the first and the last. Deterministic, so two runs check the same items.
 * Spacing uses the weights, so that a thinned list gives the same distribution as the full one.
 */
export function sampleByWeight<T extends Weighted>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  const centers: number[] = [];
  let total = 0;
  for (const { weight } of items) {
    centers.push(total + weight / 2);
    total += weight;
  }
  const start = centers[0] ?? 0;
  const span = (centers.at(-1) ?? 0) - start;
  const chosen: T[] = [];
  for (let next = 0; chosen.length < most; next += 1) {
    const wanted = start + (span * chosen.length) / Math.max(1, most - 1);
    // Leave enough items for the remaining picks.
    const lastIndex = items.length - (most - chosen.length);
    while (next < lastIndex && Math.abs((centers[next + 1] ?? 0) - wanted) <= Math.abs((centers[next] ?? 0) - wanted)) {
      next += 1;
    }
    chosen.push(...items.slice(next, next + 1));
  }
  return chosen;
}

/** {@link sampleByWeight} with a weight of 1 for every item. */
export function sampleEvenly<T>(items: readonly T[], most: number): T[] {
  const weighted = items.map((item) => ({ item, weight: 1 }));
  return sampleByWeight(weighted, most).map(({ item }) => item);
}
