import { Listeners, tellOne } from './listeners.js';
import { type StartTimer, startNodeTimer } from './timer.js';

export interface WatchOptions<T> {
  /** How it stands. A rejection tells nothing: it is looked at again. */
  readonly look: (key: string) => Promise<T>;
  /** Whether there will be no more news. */
  readonly isOver: (state: T) => boolean;
  readonly startTimer?: StartTimer;
}

interface Watch<T> {
  readonly listeners: Listeners<T>;
  last: T | null;
  stopTimer: () => void;
}

const LOOK_EVERY_MS = 500;

/** Looks now and then at what is watched until it is over: once for all who watch the same, however many they are. */
export class SharedWatch<T> {
  readonly #watches = new Map<string, Watch<T>>();

  constructor(private readonly options: WatchOptions<T>) {}

  /** Tells the listener at each look how it stands. @returns what ends it */
  watch(key: string, listener: (state: T) => void): () => void {
    const watch = this.#watches.get(key) ?? this.#begin(key);
    if (watch.last !== null) tellOne(listener, watch.last);
    const leave = watch.listeners.add(listener);
    return () => {
      leave();
      if (watch.listeners.size > 0 || this.#watches.get(key) !== watch) return;
      this.#watches.delete(key);
      watch.stopTimer();
    };
  }

  #begin(key: string): Watch<T> {
    const watch: Watch<T> = { listeners: new Listeners(), last: null, stopTimer: () => undefined };
    this.#watches.set(key, watch);
    void this.#look(key, watch);
    return watch;
  }

  async #look(key: string, watch: Watch<T>): Promise<void> {
    const { look, isOver, startTimer = startNodeTimer } = this.options;
    const state = await look(key).catch(() => null);
    if (this.#watches.get(key) !== watch) return;
    if (state !== null && isOver(state)) this.#watches.delete(key);
    else watch.stopTimer = startTimer(() => void this.#look(key, watch), LOOK_EVERY_MS);
    if (state === null) return;
    watch.last = state;
    watch.listeners.tell(state);
  }
}
