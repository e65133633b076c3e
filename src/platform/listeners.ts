/** A set of listeners for progress. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  get size(): number {
    return this.#listeners.size;
  }

  /** @returns a function that removes the listener */
  add(listener: (news: T) => void): () => void {
    // A new function each time, so that the same listener can be added twice.
    const hear = (news: T): void => {
      listener(news);
    };
    this.#listeners.add(hear);
    return () => void this.#listeners.delete(hear);
  }

  tell(news: T): void {
    for (const listener of [...this.#listeners]) tellOne(listener, news);
  }
}

/** A failing listener, such as one whose connection is closed, must not break the sender. */
export function tellOne<T>(listener: (news: T) => void, news: T): void {
  try {
    listener(news);
  } catch {
    return;
  }
}
