/** What is running under each key: callers that ask for the same before it has ended share it. */
export class SingleFlight<T> extends Map<string, T> {
  /** @param begin is called where nothing is running under the key, and calls `end` once it has ended */
  share(key: string, begin: (end: () => void) => T): T {
    const shared = this.get(key) ?? begin(() => this.delete(key));
    this.set(key, shared);
    return shared;
  }
}
