import { ERRORS, ServiceError } from '../../../src/platform/errors.js';
import type { Fault } from '../../support/fault-plan.js';
import type { Engine } from '../../support/databases.js';
import { findBroken } from './invariants.js';
import type { FaultWorld } from './world.js';

/** `done`, or `refused` for the one answer to whatever the database does: that it is to be asked again. */
export type Outcome = 'done' | 'refused';

/** One thing that the service does, on rows of its own. */
export interface Act {
  /** @throws what is none of the two */
  run(): Promise<Outcome>;
  /** What is not as it must be after these outcomes, in words. @param isFateUnknown whether the connection broke, so that nobody can tell whether a single statement ran */
  check(outcomes: readonly Outcome[], isFateUnknown: boolean): Promise<readonly string[]>;
}

export interface Scene {
  readonly name: string;
  prepare(world: FaultWorld): Promise<Act>;
}

/** How statements fail on each engine, those first that are over when the statement is tried once more. */
export const FAULTS: Readonly<Record<Engine, readonly Fault[]>> = {
  postgres: ['40001', '40P01', 'cut before', 'cut after', '53100', '57P01'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY'],
};
const CONFLICTS = new Set<Fault>(['40001', '40P01', 'SQLITE_BUSY']);

/** The connection breaks: whoever sent the statement cannot tell whether it ran. */
const FATE_UNKNOWN = new Set<Fault>(['cut before', 'cut after', '57P01']);

export interface Figures {
  readonly scene: string;
  readonly fault: Fault;
  /** How many statements it takes, each of which has failed once. */
  statements: number;
  refused: number;
  readonly problems: string[];
}

/** Has the scene's n-th statement fail, for every n: once, or until the database is restored. */
export async function failEach(world: FaultWorld, scene: Scene, fault: Fault, isLasting = false): Promise<Figures> {
  const figures: Figures = {
    scene: scene.name,
    fault: isLasting ? `${fault}, for good` : fault,
    statements: 0,
    refused: 0,
    problems: [],
  };
  for (let n = 1; ; n += 1) {
    const act = await scene.prepare(world);
    world.plan.arm(n, fault, isLasting);
    const outcome = await act.run().catch((error: unknown) => error);
    await world.access.settle();
    const { hasFailed } = world.plan;
    world.plan.disarm();
    await world.access.settle();
    await world.timers.settle();
    const note = (problem: string): void => void figures.problems.push(`statement ${n}: ${problem}`);
    const outcomes: Outcome[] = [];
    if (outcome === 'done' || outcome === 'refused') outcomes.push(outcome);
    else note(`ended in ${String(outcome)}`);
    if (outcome === 'refused' && CONFLICTS.has(fault)) note('was not tried again');
    if (outcome === 'refused') figures.refused += 1;
    const isFateUnknown = FATE_UNKNOWN.has(fault);
    const check = async (): Promise<void> => {
      for (const problem of await act.check(outcomes, isFateUnknown)) note(problem);
    };
    await check();
    if (!hasFailed) break;
    figures.statements = n;
    const again = await act.run().catch((error: unknown) => error);
    if (again === 'done') outcomes.push('done');
    else note(`the next one ended in ${String(again)}`);
    await check();
  }
  figures.problems.push(...(await findBroken(world)));
  return figures;
}

/** What becomes of a call of a service. */
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

/** What becomes of a request: its refusal has to be the documented one, with nothing in it of what has failed. */
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
