import { Readable } from 'node:stream';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { Slots } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

/** Maximum number of open exports; most of them wait for their clients. */
const OPEN_MAX = 100;
/** Maximum number of exports that read a line at the same time. */
const READING_MAX = 2;
const READ_WAIT_MS = 60_000;
/** An export ends if its client reads nothing for this long. */
const STALLED_MS = 60_000;

/** Streams exports, one at a time per account. Other work of the process runs between two lines. */
export class Exports {
  readonly #accounts = new Slots(OPEN_MAX, { perOwner: 1 });
  readonly #reading = new Slots(READING_MAX, { perOwner: 1, waitingMax: OPEN_MAX, waitMs: READ_WAIT_MS });

  constructor(private readonly startTimer: StartTimer = startNodeTimer) {}

  /**
   * Resolves once the first line is read, so that an error before that still gets an error response.
   * @throws ServiceError overloaded if an export of the account does not end in time
   */
  async open(accountId: string, lines: AsyncIterable<string>): Promise<Readable> {
    const free = await this.#accounts.acquire(accountId);
    const rest = lines[Symbol.asyncIterator]();
    const readLine = () =>
      this.#reading.run(accountId, async () => {
        const next = await rest.next();
        // SQLite's statements are synchronous: without this, nothing else would run in between.
        await yieldToEventLoop();
        return next;
      });
    const first = await readLine().catch((error: unknown) => {
      free();
      throw error;
    });
    let stopTimer = (): void => undefined;
    const waitForClient = (): void => {
      const endStream = () => stream.destroy(new Error('The client of an export has stopped reading.'));
      stopTimer = this.startTimer(endStream, STALLED_MS);
    };
    async function* readAll(): AsyncGenerator<string, void> {
      for (let line = first; !line.done; line = await readLine()) {
        waitForClient();
        yield line.value;
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
}
