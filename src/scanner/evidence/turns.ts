import { setImmediate } from 'node:timers/promises';

/** How long one piece of work may go on before whatever else this process does has its turn. */
const TURN_MS = 5;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that nobody else who asks here shares: so the pieces of work of many scans at once come one
 * after the other, with everything else in between, instead of adding up to one long wait.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Cuts long work, such as reading what a site sent, into pieces: `if (turn.isOver) await turn.next()` in its loop. */
export class Turn {
  #beganMs: number;

  /** @param nowMs a clock that never goes back */
  constructor(private readonly nowMs = (): number => performance.now()) {
    this.#beganMs = nowMs();
  }

  get isOver(): boolean {
    return this.nowMs() - this.#beganMs > TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#beganMs = this.nowMs();
  }
}
