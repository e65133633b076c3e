import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

interface Entry<V> {
  readonly value: V;
  size: number;
  /** The period in which it was last used. */
  period: number;
}

interface CacheOptions {
  /** Largest total size of the values. */
  readonly sizeMax: number;
  readonly startTimer?: StartTimer;
}

/** A value that is not used for this long is dropped, within twice the time: nothing of a removed site stays in memory for longer. */
export const CACHED_MS = 30_000;

/** Caches values of different sizes; the least recently used make room for new ones. */
export class ExpiringCache<V> {
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<V>>();
  #size = 0;
  #period = 0;
  #isTimerOn = false;

  constructor(private readonly options: CacheOptions) {}

  /** Returns the value without counting as a use. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.#use(key, entry);
    return entry?.value;
  }

  set(key: string, value: V, size = 1): void {
    const known = this.#entries.get(key);
    if (known?.value === value) {
      this.#use(key, known);
      return;
    }
    if (known) this.#drop(key, known);
    this.#entries.set(key, { value, size, period: this.#period });
    this.#size += size;
    this.#makeRoom();
    this.#dropIdleLater();
  }

  /** Adds to the size of a value, unless it was dropped since. */
  grow(key: string, value: V, size: number): void {
    const entry = this.#entries.get(key);
    if (entry?.value !== value) return;
    entry.size += size;
    this.#size += size;
    this.#makeRoom();
  }

  #use(key: string, entry: Entry<V>): void {
    entry.period = this.#period;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#size <= this.options.sizeMax) return;
      this.#drop(key, entry);
    }
  }

  #drop(key: string, { size }: Entry<V>): void {
    this.#entries.delete(key);
    this.#size -= size;
  }

  #dropIdleLater(): void {
    if (this.#isTimerOn) return;
    this.#isTimerOn = true;
    const { startTimer = startNodeTimer } = this.options;
    startTimer(() => {
      this.#isTimerOn = false;
      for (const [key, entry] of this.#entries) if (entry.period < this.#period) this.#drop(key, entry);
      this.#period += 1;
      if (this.#entries.size > 0) this.#dropIdleLater();
    }, CACHED_MS);
  }
}
