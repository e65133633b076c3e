import { TransportError } from './transport.js';

/** The time of one run. It stands still while the run waits for places that other runs hold, but not for ever. */
export class RunClock {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #since = performance.now();
  #runMsLeft: number;
  #holdMsLeft: number;
  #isHeldUp = false;
  #wasHeldUp = false;

  /** @param holdMs how long it may stand still in all */
  constructor(runMs: number, holdMs: number) {
    this.#runMsLeft = runMs;
    this.#holdMsLeft = holdMs;
    this.#start();
  }

  /** Aborted, with a TransportError, at the run's deadline. */
  get deadline(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the run ended before its site had all the time it is due: what is missing is missing because of our limits. */
  get isStarved(): boolean {
    return this.#controller.signal.aborted && this.#wasHeldUp && this.#holdMsLeft <= 0;
  }

  readonly setHeldUp = (isHeldUp: boolean): void => {
    if (this.#timer === null) return;
    this.#count();
    this.#isHeldUp = isHeldUp;
    this.#wasHeldUp ||= isHeldUp;
    this.#start();
  };

  /** Ends what still runs. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#controller.abort(new TransportError('run_deadline'));
  }

  get #isStandingStill(): boolean {
    return this.#isHeldUp && this.#holdMsLeft > 0;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#count();
        if (this.#runMsLeft > 0) this.#start();
        else this.stop();
      },
      this.#isStandingStill ? this.#holdMsLeft : this.#runMsLeft,
    );
    // Every waiting operation has its own timer or socket, so the deadline need not keep the process alive.
    this.#timer.unref();
  }

  #count(): void {
    const now = performance.now();
    // A timer may go off a fraction of a millisecond early.
    const passedMs = Math.ceil(now - this.#since);
    if (this.#isStandingStill) this.#holdMsLeft -= passedMs;
    else this.#runMsLeft -= passedMs;
    this.#since = now;
  }
}
