import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Database, type Hook, type Tx } from './database.js';
import { createOne, type Query, retryConflicts, createSql } from './query.js';
import { isAnswerLost, isOldPlan, isUnavailable, mapDatabaseError, NotConnected } from './errors.js';

const CONNECT_TIMEOUT_MS = 5000;
const CONNECTIONS_MAX = 10;

/**
 * The server cancels a statement after this time; the client gives up a little later, in case the server does not answer at all.
 */
const STATEMENT_TIMEOUT_MS = 8000;
const QUERY_TIMEOUT_MS = 10_000;

/** How long to retry a statement or transaction that lost a deadlock or a serialisation conflict. */
const CONFLICT_WAIT_MS = 2000;

export function openPostgres(url: string): Database {
  return new PostgresDatabase(url);
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly one = createOne(this);
  readonly #pool: pg.Pool;
  #closed: Promise<void> | null = null;

  constructor(readonly url: string) {
    this.#pool = new pg.Pool({
      ...clientConfig(url),
      max: CONNECTIONS_MAX,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      types: { getTypeParser: findParser },
    });
    // A connection that breaks while idle leaves the pool; the next statement opens another.
    this.#pool.on('error', ignore);
  }

  async run<Row>(query: Query<Row>): Promise<readonly Row[]> {
    return retryConflicts(() => this.#runAlone(query), CONFLICT_WAIT_MS).catch(rethrow);
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return retryConflicts(() => this.#transact(work), CONFLICT_WAIT_MS).catch(rethrow);
  }

  async close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    await this.#closed;
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      throw new NotConnected('Cannot connect to the database.', { cause });
    });
    return client.on('error', ignore);
  }

  #release(client: pg.PoolClient, broken: Error | undefined): void {
    client.off('error', ignore);
    client.release(broken);
  }

  async #runAlone<Row>(query: Query<Row>): Promise<readonly Row[]> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      return await execute(client, query);
    } catch (error) {
      broken = asError(error);
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    try {
      const id = await begin(client);
      const hooks = new Set<Hook>();
      const sql = createSql((query) => execute(client, query));
      const made = await work({ ...sql, afterCommit: (hook) => void hooks.add(hook) });
      await client.query('COMMIT').catch(async (error: unknown) => {
        await assertCommitted(this.url, id, error);
        broken = asError(error);
      });
      for (const hook of hooks) hook(this);
      return made;
    } catch (error) {
      broken = await rollBack(client, error);
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }
}

/** Begins a transaction and returns its id, by which its fate can be looked up. */
async function begin(client: pg.PoolClient): Promise<string> {
  const results: unknown = await client.query('BEGIN; SELECT pg_current_xact_id()::text AS id');
  const [, { rows }] = results as [unknown, pg.QueryResult<{ id: string }>];
  return rows[0]?.id ?? '';
}

async function execute<Row>(on: pg.PoolClient, { statement, params }: Query<Row>): Promise<readonly Row[]> {
  const { name } = statement;
  const values = statement.bind('postgres', params);
  // Prepared once per connection: parsing and planning cost more than everything else, on both sides.
  const result = await on.query({ name, text: statement.sqlFor('postgres'), values });
  return result.rows as Row[];
}

/** Returns why the connection cannot be reused, or undefined if it can. */
async function rollBack(client: pg.PoolClient, reason: unknown): Promise<Error | undefined> {
  // A connection that just failed to answer would make us wait again, and closing it undoes the transaction too. A connection
  // with plans for a schema that has since been migrated would fail again.
  if (isUnavailable(reason) || isOldPlan(reason)) return asError(reason);
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The connection is broken.', { cause: error });
}

function rethrow(error: unknown): never {
  throw mapDatabaseError(error);
}

type FindParser = (oid: number, format?: 'text' | 'binary') => (text: string) => unknown;

/** pg returns 64-bit integers (such as counts and sums) as strings; ours all fit a number, as on SQLite. */
const findParser: FindParser = (oid, format) =>
  oid === (pg.types.builtins.INT8 as number) ? Number : (pg.types.getTypeParser as FindParser)(oid, format);

function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'agent-readiness',
  };
}

/** Ignores the `error` event of a broken connection, which would otherwise end the process. Its statements reject anyway. */
function ignore(): void {
  return;
}

/** How long, and how often, to ask the server. A commit takes milliseconds. */
const FATE_WAIT_MS = 2000;
const FATE_PAUSE_MS = 50;

/**
 * After the answer to a COMMIT is lost, asks the server whether it took effect, so that stored data is not reported as a failure.
 * @param id the transaction's id
 * @param reason the error that rejected the COMMIT
 * @throws the reason, if the commit did not take effect or the server could not tell in time
 */
export async function assertCommitted(url: string, id: string, reason: unknown): Promise<void> {
  if (!isAnswerLost(reason)) throw reason;
  const giveUpMs = performance.now() + FATE_WAIT_MS;
  for (;;) {
    const fate = await readFate(url, id);
    if (fate === 'committed') return;
    if (fate === 'aborted' || performance.now() > giveUpMs) throw reason;
    await pause(FATE_PAUSE_MS);
  }
}

/**
 * Undefined if the server cannot be asked now. Uses a separate connection, since those of the pool may all be waiting for this
 * answer.
 */
async function readFate(url: string, id: string): Promise<string | null | undefined> {
  const client = new pg.Client({ ...clientConfig(url), query_timeout: FATE_WAIT_MS }).on('error', ignore);
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
