import { isId } from '../../platform/ids.js';
import { NO_PROGRESS } from '../../scanner/scan/scan.js';
import { type Database, runOne } from '../../store/database.js';
import { type QueuedRunRow, selectQueuedRun } from '../../queue/queued-run-statements.js';
import { tellOne } from '../../platform/listeners.js';
import type { LiveRun } from './run-board.js';
import type { SiteOfAccount } from '../sites/sites.js';
import type { StartTimer } from '../../platform/timer.js';

/** How often the database is asked for a run that another process has in hand. */
const LOOK_EVERY_MS = 1000;

/** Runs by hand as the database knows them: in the hand of any process, or of none since theirs has died. */
export class RunsElsewhere {
  constructor(
    private readonly db: Database,
    private readonly startTimer: StartTimer,
  ) {}

  async isRunning({ accountId, siteId }: SiteOfAccount): Promise<boolean> {
    return (await this.#select(siteId))?.account_id === accountId;
  }

  async find(siteId: string): Promise<LiveRun | null> {
    const row = await this.#select(siteId);
    return row ? { state: 'running', startedAt: row.requested_at, progress: NO_PROGRESS } : null;
  }

  /** Asks until the run is no longer there. A database that is away says nothing of it. */
  watch(siteId: string, listener: (run: LiveRun) => void): () => void {
    let stopTimer: () => void = () => undefined;
    let isStopped = false;
    const look = async (): Promise<void> => {
      const run = await this.find(siteId).catch(() => undefined);
      if (isStopped) return;
      if (run !== undefined) tellOne(listener, run ?? { state: 'finished', number: null });
      if (run !== null) stopTimer = this.startTimer(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isStopped = true;
      stopTimer();
    };
  }

  /** What has not the grammar of a site's id is not asked for: PostgreSQL takes no text with a NUL in it. */
  async #select(siteId: string): Promise<QueuedRunRow | undefined> {
    if (!isId('site', siteId)) return undefined;
    return runOne(this.db, selectQueuedRun({ site_id: siteId, trigger: 'MANUAL' }));
  }
}
