import { ERRORS, ServiceError } from '../../../src/platform/errors.js';
import { defineQuery } from '../../../src/store/query.js';
import type { Engine } from '../../support/databases.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { History, readStored } from '../races/history.js';
import { findFaults } from '../races/invariants.js';
import { ask, askNumber, type Fault, type FaultWorld } from './world.js';

/** `refused`: the documented answer while the database fails. */
export type Outcome = 'done' | 'refused';

/** One action on rows of its own. */
export interface Act {
  /** @throws for any other outcome */
  run(): Promise<Outcome>;
  /** Returns what is wrong. @param isFateUnknown true if the connection broke, so a statement may have run */
  check(outcomes: readonly Outcome[], isFateUnknown: boolean): Promise<readonly string[]>;
}

export type Scene = (world: FaultWorld) => Promise<Act>;

/** How statements fail on each engine. */
export const FAULTS: Readonly<Record<Engine, readonly Fault[]>> = {
  postgres: ['40001', '40P01', 'cut before', 'cut after', '53100', '57P01'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY'],
};
const CONFLICTS = new Set<Fault>(['40001', '40P01', 'SQLITE_BUSY']);

/** The connection breaks, so the statement may have run. */
const FATE_UNKNOWN = new Set<Fault>(['cut before', 'cut after', '57P01']);

/** Makes the scene's n-th statement fail, for every n: once, or until the database is restored. */
export async function failEach(world: FaultWorld, scene: Scene, fault: Fault, isLasting: boolean) {
  const figures = { statements: 0, refused: 0, problems: [] as string[] };
  const isFateUnknown = FATE_UNKNOWN.has(fault);
  for (let n = 1; ; n += 1) {
    const act = await scene(world);
    const outcomes: Outcome[] = [];
    const note = (problem: string): void => void figures.problems.push(`statement ${n}: ${problem}`);
    const perform = async (): Promise<Outcome | null> => {
      const outcome = await act.run().catch((error: unknown) => note(`ended in ${String(error)}`));
      if (outcome !== undefined) outcomes.push(outcome);
      return outcome ?? null;
    };
    const check = async (): Promise<void> => {
      for (const problem of await act.check(outcomes, isFateUnknown)) note(problem);
    };
    world.plan.arm(n, fault, isLasting);
    const first = await perform();
    await world.access.settle();
    const { hasFailed } = world.plan;
    world.plan.disarm();
    await world.access.settle();
    await world.timers.settle();
    if (first === 'refused') figures.refused += 1;
    if (first === 'refused' && CONFLICTS.has(fault)) note('was not tried again');
    await check();
    if (!hasFailed) break;
    figures.statements = n;
    if ((await perform()) === 'refused') note('the next one is refused');
    await check();
  }
  figures.problems.push(...(await findBroken(world)));
  return figures;
}

export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'overloaded') return 'refused';
    throw error;
  }
}

const REFUSAL = JSON.stringify({ error: { code: 'overloaded', message: ERRORS.overloaded.message } });

/** Returns the outcome of a request. A refusal must be the documented one, without a word about the failure. */
export function outcomeOfAnswer(
  { status, text, headers }: Pick<HttpAnswer, 'status' | 'text' | 'headers'>,
  done: number,
) {
  if (status === done) return 'done';
  if (status === 503 && text === REFUSAL && Number(headers['retry-after']) > 0) return 'refused';
  throw new Error(`${status} ${text}`);
}

/** Statements that return a row for each inconsistency. */
const NEVER: Readonly<Record<string, string>> = {
  'a reference lost or twice': `SELECT a.id FROM accounts a WHERE a.reference_counter <>
     (SELECT COALESCE(sum(run_counter), 0) FROM sites s WHERE s.account_id = a.id)
     AND NOT EXISTS (SELECT 1 FROM sites s WHERE s.account_id = a.id AND s.is_deleting = 1)
     AND EXISTS (SELECT 1 FROM sites s WHERE s.account_id = a.id)`,
  'a session without the link or password that opened it': `SELECT account_id FROM sessions n WHERE EXISTS
     (SELECT 1 FROM accounts a WHERE a.id = n.account_id AND a.password_hash IS NULL)`,
  'a claimed job without an attempt': `SELECT site_id FROM jobs WHERE lease IS NOT NULL AND attempts = 0`,
};

const OPEN_TRANSACTIONS = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`;

const nothing = defineQuery<{ n: number }>((sql) => sql.raw('SELECT 1 AS n'));

/** Numbers and the runs of a day must be right in whatever is stored. */
const TERMS = { owners: new Map<string, string>(), quota: Infinity, isDisturbed: false, failedDeploys: [] };

/** More than the connections of a process. */
const STATEMENTS_AT_ONCE = 12;

/** Returns the inconsistencies of the whole database, in words. */
async function findBroken(world: FaultWorld): Promise<string[]> {
  const broken: string[] = [];
  for (const [what, sql] of Object.entries(NEVER)) {
    const rows = await ask(world, sql);
    if (rows.length > 0) broken.push(`${what}: ${JSON.stringify(rows)}`);
  }
  const { db, watch } = world;
  broken.push(...findFaults(new History(), { ...(await readStored(watch)), queued: 0 }, TERMS));
  if (db.dialect === 'postgres') {
    // The server takes a moment to notice a cut connection.
    for (let tries = 0; (await askNumber(world, OPEN_TRANSACTIONS)) > 0; tries += 1) {
      if (tries > 200) return [...broken, 'a transaction was left open'];
    }
  }
  // A forgotten lock or an empty pool would block these.
  await watch.transaction((tx) => tx.one(nothing({})));
  await Promise.all(Array.from({ length: STATEMENTS_AT_ONCE }, () => db.transaction((tx) => tx.one(nothing({})))));
  return broken;
}
