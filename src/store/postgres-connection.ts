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

/** Ignores the `error` event of a broken connection, which would otherwise end the process. Its statements reject anyway. */
export function ignore(): void {
  return;
}
