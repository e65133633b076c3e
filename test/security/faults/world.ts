import { openDatabase } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { sqlitePath } from '../../../src/store/sqlite.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { FaultPlan } from './fault-plan.js';
import { makeSqliteFaulty } from './faulty-sqlite.js';
import { openFaultyWire } from './faulty-wire.js';
import { HeldTimers } from '../../support/held-timers.js';
import type { Scope } from '../../support/service.js';
import { openServices } from '../../support/services.js';
import { startApi } from '../../support/start-api.js';

export type FaultWorld = Awaited<ReturnType<typeof openFaultWorld>>;

/** The service over a database whose statements fail as the plan says, and the same database without failures. */
export async function openFaultWorld(scope: Pick<Scope, 'teardown'>, url: string) {
  const plan = new FaultPlan();
  const watch = await openDatabase(url);
  scope.teardown(() => watch.close());
  const db = await openDatabase(await faultyUrl(scope, url, plan));
  scope.teardown(() => db.close());
  const clock = new TestClock();
  const timers = new HeldTimers();
  const scanFree = async () => ({ ...scanReport(), startedAt: clock.now(), finishedAt: clock.now() });
  const services = openServices(db, { clock, hasMail: false, startTimer: timers.start, scanFree });
  const { access, runs } = services;
  const { send } = await startApi(scope, { access, runs });
  /** Prepares scenes and reads results. */
  const safe = openServices(watch, { clock, hasMail: false });
  return { ...services, safe, watch, plan, timers, send };
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

/** Rows of a statement of the test's own, by the database that never fails. */
export async function ask<Row>({ watch }: Pick<FaultWorld, 'watch'>, sql: string): Promise<readonly Row[]> {
  return watch.run(defineQuery<Row>((builder) => builder.raw(sql))({}));
}

/** The one number that a statement answers as `n`. */
export async function askNumber(world: Pick<FaultWorld, 'watch'>, sql: string): Promise<number> {
  return (await ask<{ n: number | null }>(world, sql))[0]?.n ?? 0;
}

/** @param from such as `runs WHERE site_id = 'x'` */
export function countRows(world: Pick<FaultWorld, 'watch'>, from: string): Promise<number> {
  return askNumber(world, `SELECT count(*) AS n FROM ${from}`);
}
