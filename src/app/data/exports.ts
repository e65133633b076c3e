import { Readable } from 'node:stream';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { Slots } from '../../platform/slots.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Database } from '../../store/database.js';
import { accountLines, findAccount, parseAccountId } from '../accounts/accounts.js';
import { deliveryLines } from '../alerts/deliveries.js';
import { webhookLines } from '../alerts/webhooks.js';
import { eventLines, recordEvent } from '../audit/audit.js';
import { readHook } from '../automation/deploy-hooks.js';
import { readSchedule } from '../automation/schedules.js';
import type { Context } from '../context.js';
import { keyLines } from '../keys/keys.js';
import { runLines } from '../runs/run-export.js';
import { publishedToExport } from '../publications/publications.js';
import { describeSite, ownershipTokenLines, sitesToExport } from '../sites/site-export.js';
import { acceptedOf } from '../triage/accepted-failures.js';
import { rechecksOf } from '../triage/rechecks.js';

type Lines = (db: Database, accountId: string, now: Date) => AsyncIterable<object | string>;

/** Sources of an export's lines, in order. A line is an object, or a JSON text that begins with the type. */
const LINES: readonly (readonly [type: string, lines: Lines])[] = [
  ['account', accountLines],
  ['site', siteLines],
  ['key', keyLines],
  ['webhook', webhookLines],
  ['run', runLines],
  ['delivery', deliveryLines],
  ['event', eventLines],
  ['ownership_token', ownershipTokenLines],
];

async function* siteLines(db: Database, accountId: string): AsyncGenerator<object, void> {
  for await (const site of sitesToExport(db, accountId)) {
    yield {
      ...describeSite(site),
      schedule: await readSchedule(db, site.id),
      deployHook: await readHook(db, site.id),
      ...(await publishedToExport(db, site.id)),
      acceptedFailures: await acceptedOf(db, site.id),
      rechecks: await rechecksOf(db, site.id),
    };
  }
}

/**
 * Yields all data of the account as lines of JSON that end in `\n`, and reads it while the client downloads. Changes during the export may
 * be missing. Records an event before it starts.
 * @throws InputError if there is no such account
 */
export async function* exportAccount(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
): AsyncGenerator<string, void> {
  const { id: accountId } = await findAccount(db, parseAccountId(id));
  const now = clock.now();
  await db.transaction((tx) => recordEvent(tx, { accountId, event: 'data_exported', now }));
  for (const [type, lines] of LINES) {
    for await (const line of lines(db, accountId, now)) {
      yield typeof line === 'string' ? line : `${JSON.stringify({ type, ...line })}\n`;
    }
  }
}

/** Maximum number of open exports; most of them wait for their clients. */
const OPEN_MAX = 100;
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
    const { startTimer } = this;
    let stopTimer = (): void => undefined;
    async function* readAll(): AsyncGenerator<string, void> {
      for (let line = first; !line.done; line = await readLine()) {
        const end = () => stream.destroy(new Error('The client of an export has stopped reading.'));
        stopTimer = startTimer(end, STALLED_MS);
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
