import { TransportError } from '../../net/transport.js';

/**
 * The time of one run. It stands still, up to a limit, while the run waits for slots that other runs hold or for its turn at the pace of
 * an address.
 */
export class RunClock {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #since = performance.now();
  #runMsLeft: number;
  #holdMsLeft: number;
  #paceMsLeft: number;
  /** Requests that wait for the rate limit. */
  #pacedCount = 0;
  /** Queues in which the run waits for slots of other runs. */
  #heldUpCount = 0;
  #wasHeldUp = false;

  /**
   * @param holdMs total time that the clock may be paused while the run waits for slots of other runs
   * @param paceMs total time that it may be paused by the rate limit
   */
  constructor(runMs: number, holdMs: number, paceMs = 0) {
    this.#runMsLeft = runMs;
    this.#holdMsLeft = holdMs;
    this.#paceMsLeft = paceMs;
    this.#start();
  }

  /** Aborts with a TransportError at the run's deadline. */
  get deadline(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if waiting for other runs used up this run's time, so that our limits, not the site, explain missing evidence. */
  get isOutOfSlots(): boolean {
    return this.#controller.signal.aborted && this.#wasHeldUp && this.#holdMsLeft <= 0;
  }

  /** Called when the run starts or stops waiting for slots of other runs. */
  readonly setHeldUp = (isHeldUp: boolean): void => {
    if (this.#timer === null) return;
    this.#count();
    this.#heldUpCount += isHeldUp ? 1 : -1;
    this.#wasHeldUp ||= isHeldUp;
    this.#start();
  };

  /** Returns how much longer requests may wait for the rate limit. */
  measurePaceLeftMs(): number {
    if (this.#timer !== null) {
      this.#count();
      this.#start();
    }
    return Math.max(0, this.#paceMsLeft);
  }

  /** Called when a request starts or stops waiting for the rate limit. */
  readonly setPaced = (isPaced: boolean): void => {
    if (this.#timer !== null) this.#count();
    this.#pacedCount += isPaced ? 1 : -1;
    if (this.#timer !== null) this.#start();
  };

  /** Stops the clock and aborts everything that still runs. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#controller.abort(new TransportError('run_deadline'));
  }

  get #isPaced(): boolean {
    return this.#pacedCount > 0 && this.#paceMsLeft > 0;
  }

  get #isHeldUp(): boolean {
    return this.#heldUpCount > 0 && this.#holdMsLeft > 0;
  }

  get #msToNext(): number {
    if (this.#isPaced) return this.#paceMsLeft;
    return this.#isHeldUp ? this.#holdMsLeft : this.#runMsLeft;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#count();
      if (this.#runMsLeft > 0) this.#start();
      else this.stop();
    }, this.#msToNext);
    // Pending operations have timers or sockets of their own that keep the process alive.
    this.#timer.unref();
  }

  #count(): void {
    const now = performance.now();
    // A timer may fire a fraction of a millisecond early.
    const passedMs = Math.ceil(now - this.#since);
    if (this.#isPaced) this.#paceMsLeft -= passedMs;
    else if (this.#isHeldUp) this.#holdMsLeft -= passedMs;
    else this.#runMsLeft -= passedMs;
    this.#since = now;
  }
}
