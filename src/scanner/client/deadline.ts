import { setMaxListeners } from 'node:events';
import { TransportError } from '../../net/failure.js';

/** The end of one run. Waiting for our own limits extends it, by at most `pauseMsMax` in total. */
export class Deadline {
  readonly #controller = new AbortController();
  #endMs: number;
  #pauseMsLeft: number;
  #pauseCount = 0;
  #pausedSinceMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLimitedByUs = false;

  constructor(runMs: number, pauseMsMax: number) {
    this.#endMs = performance.now() + runMs;
    this.#pauseMsLeft = pauseMsMax;
    setMaxListeners(0, this.signal);
    this.#startTimer(this.#endMs);
  }

  /** Aborts with a TransportError. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if waiting for our limits used up the time, so that they, not the site, explain missing evidence. */
  get isLimitedByUs(): boolean {
    return this.#isLimitedByUs;
  }

  /** How much longer the run may wait for our limits. */
  get pauseMsLeft(): number {
    const pausedMs = this.#pauseCount > 0 ? performance.now() - this.#pausedSinceMs : 0;
    return Math.max(0, this.#pauseMsLeft - pausedMs);
  }

  /** Stops the clock until the returned function is called. */
  pause(): () => void {
    if (this.#pauseCount === 0) {
      this.#pausedSinceMs = performance.now();
      this.#startTimer(this.#endMs + this.#pauseMsLeft);
    }
    this.#pauseCount += 1;
    return () => {
      if (this.#pauseCount === 1) this.#resume();
      this.#pauseCount -= 1;
    };
  }

  /** Ends the run now. */
  end(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(new TransportError('run_deadline'));
  }

  #resume(): void {
    const { pauseMsLeft } = this;
    this.#endMs += this.#pauseMsLeft - pauseMsLeft;
    this.#pauseMsLeft = pauseMsLeft;
    this.#startTimer(this.#endMs);
  }

  #startTimer(endMs: number): void {
    clearTimeout(this.#timer);
    if (this.signal.aborted) return;
    const expire = (): void => {
      // A timer may fire a fraction of a millisecond early.
      this.#isLimitedByUs = this.#pausedSinceMs > 0 && this.pauseMsLeft < 1;
      this.end();
    };
    // What is still in progress has timers or sockets of its own that keep the process alive.
    this.#timer = setTimeout(expire, Math.ceil(endMs - performance.now())).unref();
  }
}
