/** What has been begun and not ended, so that an end can wait for it. */
export class InHand {
  readonly #pieces = new Set<Promise<void>>();

  get size(): number {
    return this.#pieces.size;
  }

  /** @param piece never rejects */
  add(piece: Promise<void>): Promise<void> {
    const tracked = piece.finally(() => this.#pieces.delete(tracked));
    this.#pieces.add(tracked);
    return tracked;
  }

  /** Resolves once one piece more has ended. */
  async next(): Promise<void> {
    await Promise.race(this.#pieces);
  }

  /** Resolves once nothing is in hand. */
  async settle(): Promise<void> {
    while (this.#pieces.size > 0) await this.next();
  }
}
