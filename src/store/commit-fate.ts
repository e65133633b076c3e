import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isAnswerLost } from './errors.js';
import { connectionOf, ignore } from './postgres-connection.js';

/** How long, and how often, to ask the server. A commit takes milliseconds. */
const WAIT_MS = 2000;
const PAUSE_MS = 50;

/**
 * After the answer to a COMMIT is lost, asks the server whether it took effect, so that stored data is not reported as a failure.
 * @param id the transaction's id
 * @param reason the error that rejected the COMMIT
 * @throws the reason, if the commit did not take effect or the server could not tell in time
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

/**
 * Undefined if the server cannot be asked now. Uses a separate connection, since those of the pool may all be waiting for this
 * answer.
 */
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
