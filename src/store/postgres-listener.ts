import pg from 'pg';
import { connectionOf, ignore } from './postgres-connection.js';

/** Delay between attempts to reconnect. */
const RECONNECT_MS = 2000;

/**
 * Listens to a channel (https://www.postgresql.org/docs/current/sql-listen.html) and reconnects when the connection breaks.
 * Messages sent in between are lost.
 * @param channel an SQL identifier
 * @returns a function that stops listening
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
