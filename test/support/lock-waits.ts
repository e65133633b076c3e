import { until } from './held-timers.js';
import { connectRaw } from './raw-connection.js';

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Resolves once somebody waits for a lock of this PostgreSQL database, or once the work is over, whatever came of it. */
export async function untilBlocked(url: string, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  const raw = await connectRaw(url);
  try {
    await until(async () => isOver || (await raw.read(WAITING)).length > 0);
  } finally {
    await raw.close();
  }
}
