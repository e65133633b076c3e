import type { Role } from '../../src/platform/lifecycle.js';
import type { RunResponse } from '../../src/app/runs/run.js';
import { setSchedule } from '../../src/app/automation/schedules.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { addAccount, addSite } from './accounts.js';
import { freePort, type RunningProgram, startBuilt } from './program.js';

/** One process of several on one database. */
export interface FleetProcess extends RunningProgram {
  readonly baseUrl: string;
}

/** Starts the built program in a role, at a free port unless one is given; resolves once it listens. */
export async function startRole(
  role: Role,
  environment: Readonly<Record<string, string>>,
  given?: number,
): Promise<FleetProcess> {
  const port = given ?? (await freePort());
  const program = startBuilt(['serve', '--role', role], { ...environment, PORT: String(port) });
  await program.lineMatching(/"listening"/);
  return { ...program, baseUrl: `http://127.0.0.1:${port}` };
}

/** An account with a verified site for each origin, each with a weekly schedule. @returns the sites' ids */
export async function addScheduledSites(db: Database, origins: readonly string[]): Promise<string[]> {
  const clock = { now: () => new Date() };
  const { id: accountId } = await addAccount(db, 'MONITOR', clock);
  const siteIds: string[] = [];
  for (const hostname of origins) {
    const { id: siteId } = await addSite(db, accountId, { hostname });
    await setSchedule({ db, clock }, { accountId, siteId }, 'WEEKLY');
    siteIds.push(siteId);
  }
  return siteIds;
}

/** The time of every schedule has come. */
export async function makeSchedulesDue(db: Database): Promise<void> {
  await db.run(updateNextRuns({ next_run_at: '2020-01-01T00:00:00.000Z' }));
}

/** The leases of all jobs have ended, as a minute after their workers died. */
export async function endLeases(db: Database): Promise<void> {
  await db.run(endAllLeases({ run_after: '2020-01-01T00:00:00.000Z' }));
}

/** A run that waits or is in hand. */
export interface QueuedRun {
  readonly siteId: string;
  readonly requestedAt: Date;
  readonly isInHand: boolean;
}

export async function readQueue(db: Database): Promise<QueuedRun[]> {
  const rows = await db.run(selectQueue({}));
  return rows.map(({ site_id, requested_at, lease }) => ({
    siteId: site_id,
    requestedAt: new Date(requested_at),
    isInHand: lease !== null,
  }));
}

/** A stored run. */
export interface FinishedRun {
  readonly siteId: string;
  readonly number: number;
  readonly trigger: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
}

/** In the order in which they finished. */
export async function readRuns(db: Database): Promise<FinishedRun[]> {
  const rows = await db.run(selectRuns({}));
  return rows.map(({ site_id, number, trigger, started_at, finished_at }) => ({
    ...{ siteId: site_id, number, trigger },
    startedAt: new Date(started_at),
    finishedAt: new Date(finished_at),
  }));
}

/** The sites whose numbers are not 1, 2, 3 … up to the counter. */
export async function findGaps(db: Database): Promise<string[]> {
  const runs = await readRuns(db);
  return (await db.run(selectCounters({})))
    .filter(({ id, run_counter }) => {
      const numbers = runs.filter(({ siteId }) => siteId === id).map(({ number }) => number);
      return (
        numbers.length !== run_counter || numbers.sort((a, b) => a - b).some((number, index) => number !== index + 1)
      );
    })
    .map(({ id }) => id);
}

const updateNextRuns = defineQuery<never, { next_run_at: string }>((sql, { next_run_at }) =>
  sql('schedules').update({ next_run_at }),
);
const endAllLeases = defineQuery<never, { run_after: string }>((sql, { run_after }) =>
  sql('jobs').whereNotNull('lease').update({ run_after }),
);
const selectQueue = defineQuery<{ site_id: string; requested_at: string; lease: string | null }>((sql) =>
  sql('jobs').where({ queue: 'runs' }).select(['site_id', 'requested_at', 'lease']),
);
const selectRuns = defineQuery<
  { site_id: string } & Pick<RunResponse['run'], 'number' | 'trigger'> & { started_at: string; finished_at: string }
>((sql) =>
  sql('runs').select(['site_id', 'number', 'trigger', 'started_at', 'finished_at']).orderBy(['finished_at', 'site_id']),
);
const selectCounters = defineQuery<{ id: string; run_counter: number }>((sql) =>
  sql('sites').select(['id', 'run_counter']),
);
