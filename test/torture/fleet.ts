/**
 * `make torture TORTURE=fleet`: two API and two worker processes of the built program on one PostgreSQL, 200 sites of accounts of
 * very different sizes, and in each period a worker that is killed (kill -9) with runs in hand, and another started in its place. Prints what
 * became of every run, and ends with 1 when a site did not run exactly once in each period. Takes about five minutes, since the runs
 * of a killed worker are left to it for a minute. FLEET_SITES, FLEET_PERIODS and FLEET_KILLS (in each period) make it shorter or longer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/store/open-database.js';
import type { Database } from '../../src/store/database.js';
import {
  addScheduledSites,
  findGaps,
  type FinishedRun,
  type FleetProcess,
  makeSchedulesDue,
  readQueue,
  readRuns,
  startRole,
} from '../support/fleet.js';
import { startFixtureServer } from '../support/fixture-server.js';
import { startPostgres } from '../support/postgres.js';
import { runBuilt } from '../support/program.js';
import { quantileOf, Verdict } from '../support/script.js';

const SITES = Number(process.env.FLEET_SITES ?? 200);
const PERIODS = Number(process.env.FLEET_PERIODS ?? 3);
const KILLS = Number(process.env.FLEET_KILLS ?? 1);
/** Of all sites, how many belong to one account; the others are shared out to accounts of this size. */
const BIG_SHARE = 0.7;
const SMALL_SITES = 10;
/** Small, so that there is a queue. */
const SCAN_CONCURRENCY = 4;
/** What each page takes to answer, so that a kill finds scans half done. */
const ANSWER_MS = 150;
const PERIOD_MS_MAX = 240_000;
const LOOK_EVERY_MS = 100;
const TAKEN_UP_S_MAX = 90;

interface Accounts {
  readonly big: ReadonlySet<string>;
  readonly all: readonly string[];
}

/** What was seen of one period. */
interface Period {
  readonly dueAt: Date;
  /** When each site's run was put into the queue. */
  readonly requestedAt: Map<string, Date>;
  readonly kills: { readonly at: Date; readonly inHand: readonly string[] }[];
}

const verdict = new Verdict();

function describe(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const at = (share: number): string => quantileOf(values, share).toFixed(1);
  return `p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${at(1)} s`;
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}

class Fleet {
  readonly workers: FleetProcess[] = [];
  readonly apis: FleetProcess[] = [];
  readiness = { asked: 0, refused: 0 };
  readonly #watching = new AbortController();

  constructor(
    readonly db: Database,
    readonly environment: Readonly<Record<string, string>>,
  ) {}

  async start(): Promise<void> {
    for (let index = 0; index < 2; index += 1) {
      this.apis.push(await startRole('api', this.environment));
      this.workers.push(await startRole('worker', this.environment));
    }
    void this.#watchApis();
  }

  /** Kills a worker without a word, and starts another in its place. */
  async replaceWorker(): Promise<void> {
    await this.workers.shift()?.stop('SIGKILL');
    this.workers.push(await startRole('worker', this.environment));
  }

  /** @returns the exit codes */
  async stop(): Promise<(number | null)[]> {
    this.#watching.abort();
    return Promise.all([...this.apis, ...this.workers].map((process) => process.stop('SIGTERM')));
  }

  /** What happens to the workers is nothing to those who answer requests. */
  async #watchApis(): Promise<void> {
    const { signal } = this.#watching;
    for (;;) {
      for (const { baseUrl } of this.apis) {
        const status = await fetch(`${baseUrl}/readyz`).then(
          (response) => response.status,
          () => 0,
        );
        if (signal.aborted) return;
        this.readiness.asked += 1;
        if (status !== 200) this.readiness.refused += 1;
      }
      await pause(500);
    }
  }
}

/** Makes every site due, kills workers that have runs in hand, and waits until the queue is empty. */
async function runPeriod(fleet: Fleet, siteCount: number): Promise<Period> {
  const { db } = fleet;
  const runsBefore = (await readRuns(db)).length;
  const period: Period = { dueAt: new Date(), requestedAt: new Map(), kills: [] };
  await makeSchedulesDue(db);
  for (;;) {
    const queue = await readQueue(db);
    for (const { siteId, requestedAt } of queue) period.requestedAt.set(siteId, requestedAt);
    const doneCount = (await readRuns(db)).length - runsBefore;
    const inHand = queue.filter((run) => run.isInHand).map(({ siteId }) => siteId);
    const isTimeToKill = doneCount >= ((period.kills.length + 0.5) * siteCount) / (KILLS + 1);
    if (period.kills.length < KILLS && isTimeToKill && inHand.length > SCAN_CONCURRENCY) {
      period.kills.push({ at: new Date(), inHand });
      await fleet.replaceWorker();
    }
    if (doneCount >= siteCount && queue.length === 0) return period;
    if (Date.now() - period.dueAt.getTime() > PERIOD_MS_MAX) return period;
    await pause(LOOK_EVERY_MS);
  }
}

function reportPeriod(period: Period, index: number, runs: readonly FinishedRun[], { big, all }: Accounts): void {
  const { dueAt, requestedAt, kills } = period;
  const count = new Map<string, number>();
  for (const { siteId } of runs) count.set(siteId, (count.get(siteId) ?? 0) + 1);
  const lost = all.filter((siteId) => !count.has(siteId));
  const twice = all.filter((siteId) => (count.get(siteId) ?? 0) > 1);
  const last = runs.at(-1)?.finishedAt ?? dueAt;
  console.log(`\nPeriod ${index + 1}: ${runs.length} runs in ${secondsBetween(dueAt, last).toFixed(1)} s`);
  verdict.expect(lost.length === 0, `none lost (${lost.length})`);
  verdict.expect(twice.length === 0, `none twice (${twice.length})`);
  verdict.expect(
    runs.every(({ trigger }) => trigger === 'SCHEDULED'),
    'each started by its schedule',
  );
  const waits = runs.map((run) => ({
    isBig: big.has(run.siteId),
    waitS: secondsBetween(requestedAt.get(run.siteId) ?? dueAt, run.startedAt),
    wasKilled: kills.some(({ at, inHand }) => inHand.includes(run.siteId) && run.startedAt > at),
  }));
  const undisturbed = waits.filter(({ wasKilled }) => !wasKilled);
  const small = undisturbed.filter(({ isBig }) => !isBig).map(({ waitS }) => waitS);
  const ofBig = undisturbed.filter(({ isBig }) => isBig).map(({ waitS }) => waitS);
  console.log(`        queue age: ${describe(waits.map(({ waitS }) => waitS))}`);
  console.log(`        of the big account: ${describe(ofBig)}`);
  console.log(`        of small accounts: ${describe(small)}`);
  verdict.expect(
    Math.max(...small) < Math.max(...ofBig) / 2,
    'a small account waits for less than half of what the big one does',
  );
  const takenUp = kills.flatMap(({ at, inHand }) =>
    runs
      .filter(({ siteId, startedAt }) => inHand.includes(siteId) && startedAt > at)
      .map((run) => secondsBetween(at, run.startedAt)),
  );
  if (kills.length === 0) return;
  console.log(`        taken up again after a kill: ${takenUp.length} runs, ${describe(takenUp)}`);
  verdict.expect(takenUp.length > 0, 'the killed worker had runs in hand');
  verdict.expect(Math.max(...takenUp) <= TAKEN_UP_S_MAX, `taken up again within ${TAKEN_UP_S_MAX} s`);
}

async function addAccounts(db: Database, origins: readonly string[]): Promise<Accounts> {
  const bigCount = Math.round(origins.length * BIG_SHARE);
  const big = await addScheduledSites(db, origins.slice(0, bigCount));
  const all = [...big];
  for (let from = bigCount; from < origins.length; from += SMALL_SITES) {
    all.push(...(await addScheduledSites(db, origins.slice(from, from + SMALL_SITES))));
  }
  console.log(`${all.length} sites: one account with ${bigCount}, the others with ${SMALL_SITES} at most`);
  return { big: new Set(big), all };
}

const page = async (): Promise<string> => {
  await pause(ANSWER_MS);
  return '<!doctype html><html lang="en"><title>Home</title><p>Hello</p></html>';
};
const server = await startPostgres();
const sites = await Promise.all(Array.from({ length: SITES }, () => startFixtureServer({ routes: { '/': page } })));
const environment = {
  ...{ DATABASE_URL: server.url, SCAN_CONCURRENCY: String(SCAN_CONCURRENCY), SCAN_ALLOW_CIDRS: '127.0.0.1/32' },
  SCAN_ALLOW_PORTS: sites.map(({ port }) => port).join(','),
};
const { exitCode, stderr } = await runBuilt(['migrate'], environment);
if (exitCode !== 0) throw new Error(stderr);
const db = await openDatabase(server.url);
const accounts = await addAccounts(
  db,
  sites.map(({ origin }) => origin),
);
const fleet = new Fleet(db, environment);
await fleet.start();
let seen = 0;
for (let index = 0; index < PERIODS; index += 1) {
  const period = await runPeriod(fleet, SITES);
  const runs = await readRuns(db);
  reportPeriod(period, index, runs.slice(seen), accounts);
  seen = runs.length;
}
console.log('\nIn all');
verdict.expect((await findGaps(db)).length === 0, 'the numbers of every site have no gap');
verdict.expect((await readQueue(db)).length === 0, 'nothing is left in the queue');
const { asked, refused } = fleet.readiness;
verdict.expect(refused === 0, `the API processes were ready all the time (asked ${asked} times, refused ${refused})`);
const exitCodes = await fleet.stop();
verdict.expect(
  exitCodes.every((code) => code === 0),
  `every process ended well (${exitCodes.join(', ')})`,
);
await db.close();
await Promise.all(sites.map((site) => site.close()));
await server.stop();
process.exitCode = verdict.exitCode;
