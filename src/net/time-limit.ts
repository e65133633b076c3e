import { TransportError } from './transport.js';

/** A signal that aborts as stalled after its time limit, or at the run's deadline. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #deadline: AbortSignal;
  #msLeft: number;
  #since = performance.now();
  #timer: NodeJS.Timeout;

  constructor(deadline: AbortSignal, ms: number) {
    this.#deadline = deadline;
    this.#msLeft = ms;
    this.#timer = setTimeout(this.#stall, ms);
    deadline.addEventListener('abort', this.#end);
    if (deadline.aborted) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  shortenTo(ms: number): void {
    this.pause();
    this.#msLeft = Math.min(ms, this.#msLeft);
    this.resume();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#msLeft -= performance.now() - this.#since;
  }

  /** After a pause. */
  resume(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#stall, Math.max(0, this.#msLeft));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#deadline.removeEventListener('abort', this.#end);
  }

  /** Ends what is still in progress. */
  abandon(): void {
    this.#controller.abort(new TransportError('reset'));
  }

  readonly #stall = () => this.#controller.abort(new TransportError('stalled'));
  readonly #end = () => this.#controller.abort(this.#deadline.reason);
}
