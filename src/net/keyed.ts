interface Keyed<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** The value of a key, made when it is first asked for. */
export function remember<K, V>(values: Keyed<K, V>, key: K, make: () => V): V {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  values.set(key, made);
  return made;
}

/** The first item of each key, in their order. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const firsts = new Map<unknown, T>();
  for (const item of items) remember(firsts, keyOf(item), () => item);
  return [...firsts.values()];
}
