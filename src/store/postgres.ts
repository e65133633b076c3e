import pg from 'pg';
import type { Query } from './query.js';
import { changedNothing, createSql, type Engine, isFailure, NotConnected, retryConflicts } from './database.js';

const CONNECT_TIMEOUT_MS = 5000;
const CONNECTIONS_MAX = 10;

/**
 * The server cancels a statement after this time; the client gives up a little later, in case the server does not answer at all.
 */
const STATEMENT_TIMEOUT_MS = 8000;
const QUERY_TIMEOUT_MS = 10_000;

/** How long to retry a statement or transaction that lost a deadlock or a serialisation conflict. */
const CONFLICT_WAIT_MS = 2000;

/** After the answer to a COMMIT was lost, how long to ask whether it took effect. A server that restarts may need seconds. */
const COMMIT_CHECK_MS = 5000;
const COMMIT_CHECK_TIMEOUT_MS = 2000;

export function openPostgres(url: string): Engine {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'agent-readiness',
    max: CONNECTIONS_MAX,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    types: { getTypeParser: findParser },
  });
  // A connection that breaks while idle leaves the pool; the next statement opens another.
  pool.on('error', ignore);
  let closed: Promise<void> | null = null;

  /** @param rollBack makes the connection fit for reuse after a failure */
  const use = async <T>(
    step: (client: pg.PoolClient) => Promise<T>,
    rollBack?: (client: pg.PoolClient) => Promise<unknown>,
  ): Promise<T> => {
    const client = await pool.connect().catch((cause: unknown) => {
      throw new NotConnected('Cannot connect to the database.', { cause });
    });
    client.on('error', ignore);
    let isUsable = true;
    try {
      return await step(client);
    } catch (error) {
      // A connection that just failed to answer would make us wait again. Closing it undoes a transaction, too.
      isUsable = !isFailure(error, 'unavailable');
      if (isUsable) await rollBack?.(client).catch(() => (isUsable = false));
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  };
  return {
    run: (query) => retryConflicts(() => use((client) => execute(client, query)), CONFLICT_WAIT_MS),
    transact(work) {
      const perform = async (client: pg.PoolClient) => {
        const id = await begin(client);
        return { id, result: await work(createSql((query) => execute(client, query))) };
      };
      const step = async (client: pg.PoolClient) => {
        const { id, result } = await perform(client).catch(throwUncommitted);
        await client.query('COMMIT').catch(async (error: unknown) => {
          if (changedNothing(error)) throw error;
          const outcome = await readOutcome(url, id);
          if (outcome === 'aborted') throw new NotConnected('The server undid the transaction.', { cause: error });
          if (outcome !== 'committed') throw error;
          // The pool drops a client that is ending.
          void client.end();
        });
        return result;
      };
      return retryConflicts(() => use(step, (client) => client.query('ROLLBACK')), CONFLICT_WAIT_MS);
    },
    close: () => (closed ??= pool.end()),
  };
}

/** Throws the error of a transaction before its COMMIT. If the connection broke, the server undoes the transaction. */
function throwUncommitted(cause: unknown): never {
  if (!isFailure(cause, 'unavailable') || changedNothing(cause)) throw cause;
  throw new NotConnected('The connection to the database broke before COMMIT.', { cause });
}

async function begin(client: pg.PoolClient): Promise<string> {
  const results: unknown = await client.query('BEGIN; SELECT pg_current_xact_id()::text AS id');
  const [, { rows }] = results as [unknown, pg.QueryResult<{ id: string }>];
  return rows[0]?.id ?? '';
}

/**
 * Asks the server whether the transaction took effect, so that stored data is never reported as a failure. Uses a connection of its own,
 * since those of the pool may all be waiting for this answer.
 * @returns `committed` or `aborted`; null if the server did not report it in time
 */
function readOutcome(url: string, id: string): Promise<string | null> {
  const ask = async () => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: COMMIT_CHECK_TIMEOUT_MS,
      query_timeout: COMMIT_CHECK_TIMEOUT_MS,
    }).on('error', ignore);
    try {
      await client.connect();
      const { rows } = await client.query<{ outcome: string }>('SELECT pg_xact_status($1::xid8) AS outcome', [id]);
      if (rows[0]?.outcome === 'in progress') throw new Error('The transaction is still in progress.');
      return rows[0]?.outcome ?? null;
    } finally {
      void client.end().catch(ignore);
    }
  };
  return retryConflicts(ask, COMMIT_CHECK_MS, () => true).catch(() => null);
}

async function execute<Row>(client: pg.PoolClient, { statement, params }: Query<Row>): Promise<readonly Row[]> {
  const { name } = statement;
  const values = statement.bind('postgres', params);
  // Prepared once per connection: parsing and planning cost more than everything else, on both sides.
  const result = await client.query({ name, text: statement.sqlFor('postgres'), values });
  return result.rows as Row[];
}

type FindParser = (oid: number, format?: 'text' | 'binary') => (text: string) => unknown;

/** pg returns 64-bit integers (such as counts and sums) as strings; ours all fit a number, as on SQLite. */
const findParser: FindParser = (oid, format) =>
  oid === (pg.types.builtins.INT8 as number) ? Number : (pg.types.getTypeParser as FindParser)(oid, format);

/** Ignores the `error` event of a broken connection, which would otherwise end the process. Its statements reject anyway. */
function ignore(): void {
  return;
}
