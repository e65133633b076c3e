import { TransportError } from '../../net/transport.js';

/**
 * The time of one run. It stands still while the run waits for slots or room that other runs hold, or for its turn at the pace of an address, but not
 * for ever.
 */
export class RunClock {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #since = performance.now();
  #runMsLeft: number;
  #holdMsLeft: number;
  #paceMsLeft: number;
  /** How many of its requests wait for their turn. */
  #pacedCount = 0;
  /** How many things of others it waits for. */
  #heldUpCount = 0;
  #wasHeldUp = false;

  /**
   * @param holdMs how long it may stand still in all for slots of others
   * @param paceMs the same for turns at a pace
   */
  constructor(runMs: number, holdMs: number, paceMs = 0) {
    this.#runMsLeft = runMs;
    this.#holdMsLeft = holdMs;
    this.#paceMsLeft = paceMs;
    this.#start();
  }

  /** Aborted, with a TransportError, at the run's deadline. */
  get deadline(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether other runs took so long that this one ended before its site had its full time: our limits, not the site, explain what is missing. */
  get isStarved(): boolean {
    return this.#controller.signal.aborted && this.#wasHeldUp && this.#holdMsLeft <= 0;
  }

  /** It begins to wait for something that other runs hold, or no longer does. */
  readonly setHeldUp = (isHeldUp: boolean): void => {
    if (this.#timer === null) return;
    this.#count();
    this.#heldUpCount += isHeldUp ? 1 : -1;
    this.#wasHeldUp ||= isHeldUp;
    this.#start();
  };

  /** How much longer its requests may wait for their turn. */
  countPaceLeftMs(): number {
    if (this.#timer !== null) {
      this.#count();
      this.#start();
    }
    return Math.max(0, this.#paceMsLeft);
  }

  /** One of its requests begins to wait for its turn, or no longer does. */
  readonly setPaced = (isPaced: boolean): void => {
    if (this.#timer !== null) this.#count();
    this.#pacedCount += isPaced ? 1 : -1;
    if (this.#timer !== null) this.#start();
  };

  /** Ends what still runs. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#controller.abort(new TransportError('run_deadline'));
  }

  get #isPaced(): boolean {
    return this.#pacedCount > 0 && this.#paceMsLeft > 0;
  }

  get #isStandingStill(): boolean {
    return this.#heldUpCount > 0 && this.#holdMsLeft > 0;
  }

  get #msToNext(): number {
    if (this.#isPaced) return this.#paceMsLeft;
    return this.#isStandingStill ? this.#holdMsLeft : this.#runMsLeft;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#count();
      if (this.#runMsLeft > 0) this.#start();
      else this.stop();
    }, this.#msToNext);
    // Every waiting operation has its own timer or socket, so the deadline need not keep the process alive.
    this.#timer.unref();
  }

  #count(): void {
    const now = performance.now();
    // A timer may go off a fraction of a millisecond early.
    const passedMs = Math.ceil(now - this.#since);
    if (this.#isPaced) this.#paceMsLeft -= passedMs;
    else if (this.#isStandingStill) this.#holdMsLeft -= passedMs;
    else this.#runMsLeft -= passedMs;
    this.#since = now;
  }
}
