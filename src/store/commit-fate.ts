import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isAnswerLost } from './errors.js';
import { connectionOf, ignore } from './postgres-connection.js';

/** How long, and how often, the server is asked. A commit takes milliseconds. */
const WAIT_MS = 2000;
const PAUSE_MS = 50;

/**
 * Where the answer to a COMMIT is lost, the server knows whether it took place: what is stored is not to be taken for a failure.
 * @param id of the transaction
 * @param reason what the COMMIT was rejected with
 * @throws the reason, where it did not take place, or nobody could say in time
 */
export async function assertCommitted(url: string, id: string, reason: unknown): Promise<void> {
  if (!isAnswerLost(reason)) throw reason;
  const giveUpMs = performance.now() + WAIT_MS;
  for (;;) {
    const fate = await readFate(url, id);
    if (fate === 'committed') return;
    if (fate === 'aborted' || performance.now() > giveUpMs) throw reason;
    await pause(PAUSE_MS);
  }
}

/** Undefined: it cannot be asked now. On a connection of its own, since those of the pool may all wait for just this. */
async function readFate(url: string, id: string): Promise<string | null | undefined> {
  const client = new pg.Client({ ...connectionOf(url), query_timeout: WAIT_MS }).on('error', ignore);
  try {
    await client.connect();
    const { rows } = await client.query<{ fate: string | null }>('SELECT pg_xact_status($1::xid8) AS fate', [id]);
    return rows[0]?.fate;
  } catch {
    return undefined;
  } finally {
    void client.end().catch(ignore);
  }
}
