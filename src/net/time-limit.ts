import { TransportError } from './transport.js';

/** Aborts a signal as `stalled` after a time limit, or with the reason of the run's deadline. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #deadline: AbortSignal;
  readonly #endsMs: number;
  #timer: NodeJS.Timeout;

  constructor(deadline: AbortSignal, ms: number) {
    this.#deadline = deadline;
    this.#endsMs = performance.now() + ms;
    this.#timer = setTimeout(this.#stall, ms);
    deadline.addEventListener('abort', this.#end);
    if (deadline.aborted) this.#end();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  shortenTo(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#stall, Math.min(ms, Math.max(0, this.#endsMs - performance.now())));
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#deadline.removeEventListener('abort', this.#end);
  }

  /** Aborts everything that is still in progress. */
  abandon(): void {
    this.#controller.abort(new TransportError('reset'));
  }

  readonly #stall = () => this.#controller.abort(new TransportError('stalled'));
  readonly #end = () => this.#controller.abort(this.#deadline.reason);
}
