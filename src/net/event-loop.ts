import { setImmediate } from 'node:timers/promises';

/** How long one task may run before it yields to the rest of the process. */
const SLICE_MS = 5;

let lastYield: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other caller shares. Slices of concurrent scans thus run one per turn, with other work
 * in between, instead of adding up to one long block.
 */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => setImmediate());
  return lastYield;
}

/** Cuts long work, such as parsing a response, into slices: call `if (yielder.isDue) await yielder.yieldNow()` in its loop. */
export class EventLoopYielder {
  #beganMs: number;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs = (): number => performance.now()) {
    this.#beganMs = nowMs();
  }

  get isDue(): boolean {
    return this.nowMs() - this.#beganMs > SLICE_MS;
  }

  async yieldNow(): Promise<void> {
    await yieldToEventLoop();
    this.#beganMs = this.nowMs();
  }
}
