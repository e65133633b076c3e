import type pg from 'pg';

const CONNECT_TIMEOUT_MS = 5000;

/** How the service connects to PostgreSQL. */
export function connectionOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'agent-readiness',
  };
}

/** A connection that breaks says so by an event too, which would end the process if nobody heard it. Its statements reject. */
export function ignore(): void {
  return;
}
