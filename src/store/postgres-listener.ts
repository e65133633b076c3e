import pg from 'pg';
import { connectionOf, ignore } from './postgres-connection.js';

/** How long to wait for the database before the next try. */
const RECONNECT_MS = 2000;

/**
 * Hears what is sent to a channel (https://www.postgresql.org/docs/current/sql-listen.html), on a connection that is made anew when
 * it breaks. What is sent meanwhile is lost.
 * @param channel an SQL identifier
 * @returns what ends it
 */
export function listenPostgres(url: string, channel: string, onMessage: (text: string) => void): () => void {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const connect = async (): Promise<void> => {
    const next = new pg.Client(connectionOf(url)).on('error', ignore);
    client = next;
    next.on('notification', ({ payload = '' }) => onMessage(payload));
    next.on('end', () => {
      if (!isEnded) timer = setTimeout(() => void connect(), RECONNECT_MS).unref();
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${channel}`);
    } catch {
      void next.end().catch(ignore);
    }
  };

  void connect();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    void client?.end().catch(ignore);
  };
}
