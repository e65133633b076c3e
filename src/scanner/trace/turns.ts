import { setImmediate as nextTurn } from 'node:timers/promises';

/** When nothing happens in this time and the turns of the event loop after it, no answer is awaited that was not asked for. */
const QUIET_MS = 50;
const QUIET_TURNS = 200;

/** So many times in a row mean that nothing will happen any more, though the last answer may take long to be read. */
const QUIET_ROUNDS = 20;

/**
 * Lets answers arrive one after another, in the order in which they did when they were recorded: what is asked, and what a limit
 * drops, depends on it. An answer that is never asked for is passed over once nothing else happens.
 */
export class Turns {
  readonly #waiting = new Map<number, () => void>();
  readonly #over = new Set<number>();
  readonly #waitingForQuiet: (() => void)[] = [];
  #next = 0;
  #current: number | null = null;
  #events = 0;
  #quietRounds = 0;
  #timer: NodeJS.Timeout;
  #isClosed = false;

  /** @param onQuiet called when nothing has happened for a second, and nothing waits for a turn */
  constructor(private readonly onQuiet: () => void) {
    this.#timer = this.#watch();
  }

  /** Something happened. */
  touch(): void {
    this.#events += 1;
    this.#quietRounds = 0;
  }

  /** Waits for the turn of answer `index`; call {@link end} after it. An answer that is given again does not wait. */
  async take(index: number): Promise<void> {
    this.touch();
    if (this.#over.has(index) || this.#current === index || this.#waiting.has(index)) return;
    await new Promise<void>((resolve) => {
      this.#waiting.set(index, resolve);
      this.#advance();
    });
  }

  /** Waits until nothing happens any more without what is not in the order. */
  waitForQuiet(): Promise<void> {
    this.touch();
    return new Promise((resolve) => void this.#waitingForQuiet.push(resolve));
  }

  /** The answer has arrived as a whole. May be called more than once. */
  end(index: number): void {
    if (this.#over.has(index)) return;
    this.touch();
    this.#over.add(index);
    if (this.#current === index) this.#current = null;
    this.#advance();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #advance(): void {
    while (this.#over.has(this.#next)) this.#next += 1;
    if (this.#current !== null) return;
    const first = Math.min(...this.#waiting.keys());
    // What was passed over does not wait again.
    if (first <= this.#next) this.#start(first);
  }

  #start(index: number): void {
    this.#current = index;
    this.#waiting.get(index)?.();
    this.#waiting.delete(index);
  }

  #watch(): NodeJS.Timeout {
    const events = this.#events;
    return setTimeout(() => void this.#checkQuiet(events), QUIET_MS);
  }

  async #checkQuiet(eventsBefore: number): Promise<void> {
    for (let turn = 0; turn < QUIET_TURNS; turn += 1) await nextTurn();
    if (this.#isClosed) return;
    if (eventsBefore === this.#events) this.#onQuietRound();
    this.#timer = this.#watch();
  }

  #onQuietRound(): void {
    this.#quietRounds += 1;
    if (this.#waiting.size > 0) {
      this.#next = Math.min(...this.#waiting.keys());
      this.#start(this.#next);
    } else if (this.#waitingForQuiet.length > 0) {
      for (const resume of this.#waitingForQuiet.splice(0)) resume();
    } else if (this.#quietRounds === QUIET_ROUNDS) this.onQuiet();
  }
}
