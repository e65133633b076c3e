import pg from 'pg';
import type { Query } from './query.js';
import {
  changedNothing,
  createSql,
  type Engine,
  isFailure,
  NotConnected,
  retryConflicts,
  type Sql,
} from './database.js';

const CONNECT_TIMEOUT_MS = 5000;
const CONNECTIONS_MAX = 10;

/**
 * The server cancels a statement after this time. The client gives up a little later, in case the server does not answer.
 */
const STATEMENT_TIMEOUT_MS = 8000;
const QUERY_TIMEOUT_MS = 10_000;

/** How long to retry a statement or transaction that lost a deadlock or a serialisation conflict. */
const CONFLICT_WAIT_MS = 2000;

/** How long to ask whether a COMMIT took effect whose answer was lost. A server that restarts may need seconds. */
const COMMIT_CHECK_MS = 5000;

export function openPostgres(url: string): Engine {
  const pool = openPool(url);
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
      // A connection that just failed to answer would make us wait again. Closing it also undoes a transaction.
      isUsable = !isFailure(error, 'unavailable');
      if (isUsable) await rollBack?.(client).catch(() => (isUsable = false));
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(!isUsable);
    }
  };
  /**
   * Asks the server whether a transaction took effect, so that stored data is never reported as a failure.
   * @returns `committed` or `aborted`; null if the server did not report it in time
   */
  const readOutcome = (id: string): Promise<string | null> => {
    const ask = () =>
      use(async (client) => {
        const { rows } = await client.query<{ outcome: string }>('SELECT pg_xact_status($1::xid8) AS outcome', [id]);
        if (rows[0]?.outcome === 'in progress') throw new Error('The transaction is still in progress.');
        return rows[0]?.outcome ?? null;
      });
    return retryConflicts(ask, COMMIT_CHECK_MS, () => true).catch(() => null);
  };
  const transact = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    let unconfirmed: { readonly id: string; readonly result: T } | undefined;
    const step = async (client: pg.PoolClient): Promise<T> => {
      const id = await begin(client);
      const result = await work(createSql((query) => execute(client, query)));
      unconfirmed = { id, result };
      await client.query('COMMIT');
      return result;
    };
    return use(step, (client) => client.query('ROLLBACK')).catch(async (cause: unknown) => {
      if (changedNothing(cause) || !(unconfirmed || isFailure(cause, 'unavailable'))) throw cause;
      // The server undoes a transaction whose connection breaks before COMMIT.
      const outcome = unconfirmed ? await readOutcome(unconfirmed.id) : 'aborted';
      if (outcome === 'aborted') throw new NotConnected('The server undid the transaction.', { cause });
      if (!unconfirmed || outcome !== 'committed') throw cause;
      return unconfirmed.result;
    });
  };
  return {
    run: (query) => retryConflicts(() => use((client) => execute(client, query)), CONFLICT_WAIT_MS),
    transact: (work) => retryConflicts(() => transact(work), CONFLICT_WAIT_MS),
    close: () => (closed ??= pool.end()),
  };
}

function openPool(url: string): pg.Pool {
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
  return pool.on('error', ignore);
}

async function begin(client: pg.PoolClient): Promise<string> {
  const results: unknown = await client.query('BEGIN; SELECT pg_current_xact_id()::text AS id');
  const [, { rows }] = results as [unknown, pg.QueryResult<{ id: string }>];
  return rows[0]?.id ?? '';
}

async function execute<Row>(client: pg.PoolClient, { statement, params }: Query<Row>): Promise<readonly Row[]> {
  const { name } = statement;
  const values = statement.bind('postgres', params);
  // The name makes pg prepare it once per connection: parsing and planning cost more than everything else, on both sides.
  const result = await client.query({ name, text: statement.sqlFor('postgres'), values });
  return result.rows as Row[];
}

type FindParser = (oid: number, format?: 'text' | 'binary') => (text: string) => unknown;

/** pg returns 64-bit integers, such as counts and sums, as strings. Ours all fit a number, as on SQLite. */
const findParser: FindParser = (oid, format) =>
  oid === (pg.types.builtins.INT8 as number) ? Number : (pg.types.getTypeParser as FindParser)(oid, format);

/** Handles the `error` event of a broken connection, which would otherwise end the process. Its statements reject anyway. */
function ignore(): void {
  return;
}
