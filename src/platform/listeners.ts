/** Those who want to hear how something goes on. */
export class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>();

  /** @returns what ends it */
  add(listener: (news: T) => void): () => void {
    // One of its own, so that the same function may listen twice.
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

/** A listener that fails, such as one whose connection is gone, must not fail what it listens to. */
export function tellOne<T>(listener: (news: T) => void, news: T): void {
  try {
    listener(news);
  } catch {
    return;
  }
}
