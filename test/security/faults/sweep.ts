import { ERRORS, ServiceError } from '../../../src/platform/errors.js';
import type { Fault } from './fault-plan.js';
import type { Engine } from '../../support/databases.js';
import { findBroken } from './invariants.js';
import type { FaultWorld } from './world.js';

/** `refused` is the one documented answer to a failing database: try again later. */
export type Outcome = 'done' | 'refused';

/** One action of the service, on rows that no other action uses. */
export interface Act {
  /** @throws for any other outcome */
  run(): Promise<Outcome>;
  /** Returns what is wrong after these outcomes. @param isFateUnknown true if the connection broke, so that a statement may have run */
  check(outcomes: readonly Outcome[], isFateUnknown: boolean): Promise<readonly string[]>;
}

export type Scene = (world: FaultWorld) => Promise<Act>;

/** How statements fail on each engine; the first ones pass if the statement is tried again. */
export const FAULTS: Readonly<Record<Engine, readonly Fault[]>> = {
  postgres: ['40001', '40P01', 'cut before', 'cut after', '53100', '57P01'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY'],
};
const CONFLICTS = new Set<Fault>(['40001', '40P01', 'SQLITE_BUSY']);

/** The connection breaks, so the statement may have run or not. */
const FATE_UNKNOWN = new Set<Fault>(['cut before', 'cut after', '57P01']);

/** Makes the scene's n-th statement fail, for every n: once, or until the database is restored. */
export async function failEach(world: FaultWorld, scene: Scene, fault: Fault, isLasting = false) {
  /** How many statements the scene takes, how often it was refused, and what was wrong. */
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

/** Returns the outcome of a call of a service. */
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
  {
    status,
    text,
    headers,
  }: { readonly status: number; readonly text: string; readonly headers: Readonly<Record<string, string | undefined>> },
  done: number,
): Outcome {
  if (status === done) return 'done';
  if (status === 503 && text === REFUSAL && Number(headers['retry-after']) > 0) return 'refused';
  throw new Error(`${status} ${text}`);
}
