interface Keyed<K, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => unknown;
}

/** Returns the value of a key, which is created on first use. */
export function getOrCreate<K, V>(values: Keyed<K, V>, key: K, create: () => V): V {
  const existing = values.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  values.set(key, created);
  return created;
}

/** A cache of limited size: adding a key to a full cache clears it. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly valuesMax: number) {
    super();
  }

  override set(key: K, value: V): this {
    if (this.size >= this.valuesMax && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}

/** Caches a function's result per object, which must not change, until the object is garbage-collected. */
export function memoizePerObject<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const values = new WeakMap<K, V>();
  return (object) => getOrCreate(values, object, () => compute(object));
}

/** Returns the first item of each key, in order. */
export function distinctBy<T>(items: readonly T[], keyOf: (item: T) => unknown): T[] {
  const firsts = new Map<unknown, T>();
  for (const item of items) getOrCreate(firsts, keyOf(item), () => item);
  return [...firsts.values()];
}
