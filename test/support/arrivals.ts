/** What comes in at some time, for a test that waits for it. */
export class Arrivals<T> {
  readonly #all: T[] = [];
  #heard: () => void = () => undefined;

  readonly add = (one: T): void => {
    this.#all.push(one);
    this.#heard();
  };

  /** The first that is like this, once it is there. */
  async first(isIt: (one: T) => boolean): Promise<T> {
    for (;;) {
      const found = this.#all.find(isIt);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }
}
