/** How a statement fails: its connection is cut before or after it ran, or the engine answers with an error's code. */
export type Fault = string;

/** Which statement of a database fails, and how. Every statement counts, BEGIN and COMMIT included. */
export class FaultPlan {
  #left = Infinity;
  #fault: Fault = '';
  #isLasting = false;
  /** Whether the statement that was to fail has come. */
  hasFailed = false;
  /** Whether the database has gone away for good. */
  isDown = false;

  /** The n-th statement from now on fails, once; or the database is away from then on, until it is restored. */
  arm(n: number, fault: Fault, isLasting = false): void {
    this.#left = n;
    this.#fault = fault;
    this.#isLasting = isLasting;
    this.hasFailed = false;
  }

  /** Nothing fails any more. */
  disarm(): void {
    this.#left = Infinity;
    this.isDown = false;
  }

  /** What becomes of the statement that comes now; null: it passes. */
  next(): Fault | null {
    if (this.isDown) return this.#fault;
    this.#left -= 1;
    if (this.#left !== 0) return null;
    this.hasFailed = true;
    this.isDown = this.#isLasting;
    return this.#fault;
  }
}
