/** Work in the background, which the end of the process waits for. */
export class Pending {
  readonly #work = new Set<Promise<void>>();

  /** @param work handles its own failures */
  add(work: Promise<void>): void {
    const pending = work.finally(() => this.#work.delete(pending));
    this.#work.add(pending);
  }

  /** Resolves when all of it has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#work);
  }
}
