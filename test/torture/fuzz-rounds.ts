import fc from 'fast-check';
import { CONTRACT_OPERATIONS } from '../support/contract.js';
import { crowd, playCrowd } from './fuzz-crowds.js';
import { addMember } from './fuzz-members.js';
import { ask, type Tally } from './fuzz-oracle.js';
import { askRoom, roomRequest } from './fuzz-rooms.js';
import { fuzzRequest, type FuzzRequest } from './fuzz-requests.js';
import { render, type Scene, setScene } from './fuzz-scene.js';
import { play, sequence } from './fuzz-sequences.js';
import type { World } from './fuzz-world.js';

export interface FuzzOptions {
  readonly seed: number;
  /** Requests at least. */
  readonly cases: number;
  /** How much of a round is played: 1 unless said otherwise. */
  readonly share?: number;
}

export interface FuzzResult {
  readonly tally: Tally;
  /** Each in its smallest form; empty when nothing was wrong. */
  readonly failures: readonly string[];
  /** How many requests the database counted that the answers said were counted. */
  readonly counted: number;
}

const FAILURES_MAX = 8;
/** In each round, so that all kinds take turns, and each round has a day of its own. */
const A_ROUND = { requests: 120, rooms: 160, sequences: 6, crowds: 3, faults: 12 };

/** Plays rounds of requests on one world until there are enough of them, or too many failures. */
export async function playRounds(world: World, { seed, cases, share = 1 }: FuzzOptions): Promise<FuzzResult> {
  const tally: Tally = new Map();
  const failures: string[] = [];
  const check = async <T>(
    about: string,
    arbitrary: fc.Arbitrary<T>,
    options: { readonly seed: number; readonly numRuns: number },
    faultsOf: (value: T) => Promise<string[]>,
  ): Promise<void> => {
    const property = fc.asyncProperty(arbitrary, async (value) => {
      const faults = await faultsOf(value);
      faults.push(...world.logFaults.splice(0).map((line) => `log: ${line}`));
      if (faults.length === 0) return;
      await world.correctBook();
      throw new Error(faults.join('\n    '));
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, options);
    if (!failed) return;
    const words = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
    failures.push(`${about}, round seed ${options.seed}\n  ${excerpt(JSON.stringify(counterexample))}\n    ${words}`);
  };

  const scene = await setScene(world);
  for (let round = 0; totalOf(tally) < cases && failures.length < FAILURES_MAX; round += 1) {
    const at = (numRuns: number) => ({ seed: seed + round, numRuns: Math.ceil(numRuns * share) });
    const send = (others: Scene) => (request: FuzzRequest) => ask(world, render(request, others), tally);
    await check('request', fuzzRequest, at(A_ROUND.requests), send(scene));
    await check('sequence', sequence, at(A_ROUND.sequences), (value) => play(world, scene, value, tally));
    await check('crowd', crowd, at(A_ROUND.crowds), (value) => playCrowd(world, value, tally));
    const member = { ...scene, ...(await addMember(world)) };
    await check('room', roomRequest, at(A_ROUND.rooms), (request) => askRoom(world, member, request, tally));
    for (const fault of ['overloaded', 'internal_error'] as const) {
      world.trouble.fault = fault;
      await check(fault, fuzzRequest, at(A_ROUND.faults), send(scene));
      world.trouble.fault = null;
    }
    world.moveDays(1);
  }
  return { tally, failures: [...failures, ...(await usageFaults(world))], counted: await countUsage(world) };
}

export function totalOf(tally: Tally): number {
  return [...tally.values()].flatMap((statuses) => [...statuses.values()]).reduce((sum, count) => sum + count, 0);
}

/** What the document has and no request can bring about here, with the reason. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  'description 500': 'its bytes are made at the start: no query of it can fail',
};

/** The answers of the document that none of the requests got; what cannot be got is left out. */
export function unreachedIn(tally: Tally): string[] {
  return CONTRACT_OPERATIONS.flatMap(({ object: { operationId, responses } }) =>
    Object.keys(responses).map((status) => `${operationId} ${status}`),
  ).filter((answer) => {
    const [operationId = '', status = ''] = answer.split(' ');
    return !(answer in UNREACHABLE) && !tally.get(operationId)?.has(status);
  });
}

async function usageFaults({ book, usedInDatabase }: World): Promise<string[]> {
  const stored = await usedInDatabase();
  return [...book.keys.values()].flatMap(({ id, usedByMonth }) =>
    [...usedByMonth].flatMap(([month, used]) => {
      const inDatabase = stored.get(`${id} ${month}`) ?? 0;
      return inDatabase === used
        ? []
        : [`quota: ${id} in ${month}: ${inDatabase} in the database, ${used} by the answers`];
    }),
  );
}

async function countUsage({ book, usedInDatabase }: World): Promise<number> {
  return [...(await usedInDatabase()).values()].reduce((sum, used) => sum + used, 0) - book.usedUnasked;
}

function excerpt(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;
}
