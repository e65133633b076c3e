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

/** Keeps at most so many values that can be had again: full, it forgets them all. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly valuesMax: number) {
    super();
  }

  override set(key: K, value: V): this {
    if (this.size >= this.valuesMax) this.clear();
    return super.set(key, value);
  }
}

/** A function of an object that computes once for each, which must not change: forgotten with it. */
export function perObject<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const values = new WeakMap<K, V>();
  return (object) => remember(values, object, () => compute(object));
}

/** The first item of each key, in their order. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const firsts = new Map<unknown, T>();
  for (const item of items) remember(firsts, keyOf(item), () => item);
  return [...firsts.values()];
}
