import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5000;
/** As for every other statement: the server gives one up, and a little later the client, for a server that does not answer at all. */
const STATEMENT_TIMEOUT_MS = 8000;
const QUERY_TIMEOUT_MS = 10_000;

export interface QueuePoolOptions {
  readonly connectionsMax: number;
  /** Statements may take their time: for migrations. */
  readonly isPatient?: boolean;
}

/** Connections of the queue's own to PostgreSQL; nothing is connected to yet. Whoever opens it ends it. */
export function openQueuePool(url: string, { connectionsMax, isPatient = false }: QueuePoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...(!isPatient && { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: QUERY_TIMEOUT_MS }),
    keepAlive: true,
    application_name: 'agent-readiness queue',
  });
  // A connection that breaks says so by an event too, which would end the process if nobody heard it. Its statements reject.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function ignore(): void {
  return;
}
