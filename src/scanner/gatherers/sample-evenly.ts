/** An item that represents `weight` items of the full list, itself included. */
export interface Weighted {
  readonly weight: number;
}

/**
 * Picks at most `most` items at even distances, in order, including the first and the last. The same list always gives the same
 * items, so two runs check the same things. Each item counts by its weight, so positions in a thinned list match those in the full
 * list.
 */
export function sampleByWeight<T extends Weighted>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  const places: number[] = [];
  let before = 0;
  for (const { weight } of items) {
    places.push(before + weight / 2);
    before += weight;
  }
  const start = places[0] ?? 0;
  const span = (places.at(-1) ?? 0) - start;
  const chosen: T[] = [];
  for (let next = 0; chosen.length < most; next += 1) {
    const wanted = start + (span * chosen.length) / Math.max(1, most - 1);
    // Leave enough items for the remaining picks.
    const lastIndex = items.length - (most - chosen.length);
    while (next < lastIndex && Math.abs((places[next + 1] ?? 0) - wanted) <= Math.abs((places[next] ?? 0) - wanted)) {
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
