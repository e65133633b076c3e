import { once } from 'node:events';
import { Readable } from 'node:stream';
import { yieldToEventLoop } from '../../platform/concurrency.js';
import { ServiceError } from '../../platform/errors.js';
import { Slots } from '../../platform/slots.js';
import type { Database } from '../../store/database.js';
import { exportAccountFields, findAccount } from '../accounts/accounts.js';
import { exportDeliveries } from '../alerts/deliveries.js';
import { exportWebhooks } from '../alerts/webhooks.js';
import { exportEvents, recordEvent } from '../audit/audit.js';
import { readHook } from '../automation/deploy-hooks.js';
import { readSchedule } from '../automation/schedules.js';
import type { Context } from '../context.js';
import { exportKeys } from '../keys/keys.js';
import { exportRuns } from '../runs/run-rows.js';
import { publishedToExport } from '../publications/publications.js';
import { exportOwnershipTokens } from '../sites/proof.js';
import { describeSite, sitesToExport } from '../sites/site.js';
import { listAcceptedFailures } from '../triage/accepted-failures.js';
import { rechecksOf } from '../triage/rechecks.js';

type Lines = (db: Database, accountId: string, now: Date) => AsyncIterable<object | string>;

/** The sources of an export's lines, in order. A line is an object, or serialized JSON that includes the type. */
const SOURCES: readonly (readonly [type: string, lines: Lines])[] = [
  ['account', exportAccountFields],
  ['site', exportSites],
  ['key', exportKeys],
  ['webhook', exportWebhooks],
  ['run', exportRuns],
  ['delivery', exportDeliveries],
  ['event', exportEvents],
  ['ownership_token', exportOwnershipTokens],
];

async function* exportSites(db: Database, accountId: string): AsyncGenerator<object, void> {
  for await (const site of sitesToExport(db, accountId)) {
    yield {
      ...describeSite(site),
      schedule: await readSchedule(db, site.id),
      deployHook: await readHook(db, site.id),
      ...(await publishedToExport(db, site.id)),
      acceptedFailures: await listAcceptedFailures(db, site.id),
      rechecks: await rechecksOf(db, site.id),
    };
  }
}

/**
 * Yields all data of the account as lines of JSON that end in `\n`. Reads the data while the client downloads it, so changes during the
 * export may be missing.
 * @throws InputError if there is no such account
 */
export async function* exportAccount(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: string,
): AsyncGenerator<string, void> {
  const { id: accountId } = await findAccount(db, id);
  const now = clock.now();
  await db.transaction((tx) => recordEvent(tx, { accountId, event: 'data_exported', now }));
  for (const [type, lines] of SOURCES) {
    for await (const line of lines(db, accountId, now)) {
      yield typeof line === 'string' ? line : `${JSON.stringify({ type, ...line })}\n`;
    }
  }
}

/** Statements of SQLite are synchronous, so many exports that read a line in each turn of the event loop would block the process. */
const READING_MAX = 2;
const WAITING_MAX = 100;
const READ_WAIT_MS = 60_000;

/** Streams exports, one per account. Only a few read at the same time, and each yields to other work after each line. */
export class Exports {
  readonly #open = new Map<string, Readable>();
  readonly #reading = new Slots(READING_MAX, { perOwner: 1, waitingMax: WAITING_MAX, waitMs: READ_WAIT_MS });

  /**
   * Opens an export and ends the account's previous one, whose client may have stopped reading. Resolves once the first line is read, so
   * that an earlier error still gets an error response.
   * @throws ServiceError overloaded if the next export of the account begins before the first line
   */
  async open(accountId: string, lines: AsyncIterable<string>): Promise<Readable> {
    this.#open.get(accountId)?.destroy(new ServiceError('overloaded'));
    const stream = Readable.from(this.#readInTurn(accountId, lines), { objectMode: false });
    this.#open.set(accountId, stream);
    stream.once('close', () => {
      if (this.#open.get(accountId) === stream) this.#open.delete(accountId);
    });
    // Without a listener, an error before the response reads the stream would end the process.
    stream.on('error', () => undefined);
    await once(stream, 'readable');
    return stream;
  }

  /** Yields the lines. @throws ServiceError overloaded if this export waits too long for others */
  async *#readInTurn(accountId: string, lines: AsyncIterable<string>): AsyncGenerator<string, void> {
    const iterator = lines[Symbol.asyncIterator]();
    const readLine = async () => {
      const line = await iterator.next();
      await yieldToEventLoop();
      return line;
    };
    try {
      for (;;) {
        const line = await this.#reading.run(accountId, readLine);
        if (line.done) return;
        yield line.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
