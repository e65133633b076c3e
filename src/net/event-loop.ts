import { setImmediate } from 'node:timers/promises';

/** How long one task may run before it yields to the rest of the process. */
const SLICE_MS = 5;

let lastYield: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop of its own, so that slices of concurrent scans run one per turn, with other work in between.
 */
export function yieldToEventLoop(): Promise<void> {
  lastYield = lastYield.then(() => setImmediate());
  return lastYield;
}

/** Splits long work, such as parsing a response, into slices: call `if (yielder.isDue) await yielder.yieldNow()` in its loop. */
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
