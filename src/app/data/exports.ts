import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Slots } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

/** Maximum number of open exports; most of them wait for their clients. */
const OPEN_MAX = 100;
const AT_ONCE_MAX = 2;
const SLICE_MS = 10;
const SLICE_CHARS = 64 * 1024;
const SLICE_WAIT_MS = 60_000;
/** An export ends if its client reads nothing for this long. */
const STALLED_MS = 60_000;

interface Slice {
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Streams exports, one at a time per account. A process reads at most two at once, in slices of at most 10 ms. Other work runs between slices,
 * so slow clients do not delay other requests. An export ends with an error if its client stops reading.
 */
export class Exports {
  readonly #accounts = new Slots(OPEN_MAX, { perParty: 1 });
  readonly #slices = new Slots(AT_ONCE_MAX, { perParty: 1, waitingMax: OPEN_MAX, waitMs: SLICE_WAIT_MS });

  /** @param nowMs the time in milliseconds */
  constructor(
    private readonly nowMs: () => number = () => performance.now(),
    private readonly startTimer: StartTimer = startNodeTimer,
  ) {}

  /**
   * Resolves once the first slice is read, so that an error before that still gets an error response.
   * @throws ServiceError overloaded if an export of the account does not end in time
   */
  async open(accountId: string, parts: AsyncIterable<string>): Promise<Readable> {
    const free = await this.#accounts.acquire(accountId);
    const rest = parts[Symbol.asyncIterator]();
    const read = () => this.#slices.run(accountId, () => this.#readSlice(rest));
    const first = await read().catch((error: unknown) => {
      free();
      throw error;
    });
    let stopTimer = (): void => undefined;
    const waitForClient = (): void => {
      const endStream = () => stream.destroy(new Error('The client of an export has stopped reading.'));
      stopTimer = this.startTimer(endStream, STALLED_MS);
    };
    async function* readAll(): AsyncGenerator<string, void> {
      for (let slice = first; ; slice = await read()) {
        waitForClient();
        if (slice.text !== '') yield slice.text;
        if (slice.isLast) return;
        stopTimer();
      }
    }
    const stream = Readable.from(readAll(), { objectMode: false });
    return stream.once('close', () => {
      stopTimer();
      free();
      // The client may have left before the end.
      void rest.return?.();
    });
  }

  async #readSlice(rest: AsyncIterator<string>): Promise<Slice> {
    const endMs = this.nowMs() + SLICE_MS;
    let text = '';
    while (text.length < SLICE_CHARS) {
      const step = await rest.next();
      if (step.done) return { text, isLast: true };
      text += step.value;
      if (this.nowMs() >= endMs) break;
    }
    // SQLite's statements are synchronous: without this, nothing else would run in between.
    await yieldToEventLoop();
    return { text, isLast: false };
  }
}
