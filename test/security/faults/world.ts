import { type Access, createAccess } from '../../../src/app/keys/access.js';
import { alertAboutRun } from '../../../src/app/alerts/recipients.js';
import { createRunPerformer, type PerformRun } from '../../../src/app/runs/run-performer.js';
import { createRuns, type Runs } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { defineQuery } from '../../../src/store/query.js';
import { sqlitePath } from '../../../src/store/sqlite.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { FaultPlan } from '../../support/fault-plan.js';
import { makeSqliteFaulty } from '../../support/faulty-sqlite.js';
import { openFaultyWire } from '../../support/faulty-wire.js';
import { HeldTimers } from '../../support/held-timers.js';
import type { Scope } from '../../support/service.js';
import { PUBLIC_URL, type RunningApi, startApi } from '../../support/start-api.js';

/** The service over a database whose statements fail as the plan says, alongside the same database that never fails. */
export interface FaultWorld extends Pick<RunningApi, 'send'> {
  /** The one that fails. */
  readonly db: Database;
  /** The one that never does: what was, and what has become of it, is read here. */
  readonly watch: Database;
  readonly plan: FaultPlan;
  readonly clock: TestClock;
  /** Go off when the sweep says so: those of refunds that the database did not take. */
  readonly timers: HeldTimers;
  readonly access: Access;
  readonly runs: Runs;
  readonly performRun: PerformRun;
}

export async function openFaultWorld(scope: Pick<Scope, 'teardown'>, url: string): Promise<FaultWorld> {
  const plan = new FaultPlan();
  const watch = await openDatabase(url);
  scope.teardown(() => watch.close());
  const db = await openDatabase(await faultyUrl(scope, url, plan));
  scope.teardown(() => db.close());
  const clock = new TestClock();
  const timers = new HeldTimers();
  const access = createAccess({ db, clock, startTimer: timers.start });
  const performRun = createRunPerformer({
    ...{ db, clock, scan: async () => scanReport(), slots: new Slots(20) },
    atFinish: (tx, run) => alertAboutRun({ clock, publicUrl: PUBLIC_URL, hasMail: false }, tx, run),
  });
  const runs = createRuns({ db, clock, performRun, startTimer: timers.start });
  const { send } = await startApi(scope, { access, runs });
  return { db, watch, plan, clock, timers, access, runs, performRun, send };
}

async function faultyUrl(scope: Pick<Scope, 'teardown'>, url: string, plan: FaultPlan): Promise<string> {
  if (url.startsWith('sqlite:')) {
    // Another spelling of the same file.
    const path = sqlitePath(url).replace(/\/([^/]+)$/, '/./$1');
    scope.teardown(makeSqliteFaulty(path, plan));
    return `sqlite:${path}`;
  }
  const wire = await openFaultyWire(url, plan);
  scope.teardown(() => wire.close());
  return wire.url;
}

/** Rows of a statement of the proof's own, by the database that never fails. */
export async function ask<Row>({ watch }: FaultWorld, sql: string): Promise<readonly Row[]> {
  return watch.run(defineQuery<Row>((builder) => builder.raw(sql))({}));
}

/** The one number that a statement answers as `n`. */
export async function askNumber(world: FaultWorld, sql: string): Promise<number> {
  return (await ask<{ n: number | null }>(world, sql))[0]?.n ?? 0;
}
