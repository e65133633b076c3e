/** Something that stands for `weight` others around it. */
export interface Weighted {
  readonly weight: number;
}

/**
 * At most `most` items at even distances, the first and the last among them, in their order. The same items for the same list,
 * so that two runs look at the same things. An item counts for as many as its weight, so that places in a thinned list are
 * those of the whole.
 */
export function spreadByWeight<T extends Weighted>(items: readonly T[], most: number): T[] {
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
    // Enough must be left for the places that are still to fill.
    const lastIndex = items.length - (most - chosen.length);
    while (next < lastIndex && Math.abs((places[next + 1] ?? 0) - wanted) <= Math.abs((places[next] ?? 0) - wanted)) {
      next += 1;
    }
    chosen.push(...items.slice(next, next + 1));
  }
  return chosen;
}

/** {@link spreadByWeight} of items that each stand for themselves. */
export function spreadEvenly<T>(items: readonly T[], most: number): T[] {
  const weighted = items.map((item) => ({ item, weight: 1 }));
  return spreadByWeight(weighted, most).map(({ item }) => item);
}
