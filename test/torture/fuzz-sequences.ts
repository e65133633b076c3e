import fc from 'fast-check';
import { ask, type Tally } from './fuzz-oracle.js';
import { type FuzzRequest, fuzzRequest, plainRead, plainStart } from './fuzz-requests.js';
import { namesOf, render, type Scene } from './fuzz-scene.js';
import type { World } from './fuzz-world.js';

/** Those that let the account go on are there twice. */
const CHANGES = [
  ...(['new key', 'new site', 'plan MONITOR', 'next day'] as const),
  ...(['revoke key', 'new key', 'remove site', 'new site', 'new unverified site', 'verify site'] as const),
  ...(['plan FREE', 'plan MONITOR', 'plan SCALE', 'next day', 'next month'] as const),
];
type Change = (typeof CHANGES)[number];

/** What happens to one account: requests, and what its holder and the operator do in between. */
export interface Sequence {
  /** Requests that are left of the key's month; null: all. */
  readonly left: number | null;
  readonly steps: readonly (FuzzRequest | Change)[];
}

export const sequence: fc.Arbitrary<Sequence> = fc.record({
  left: fc.option(fc.nat({ max: 6 }), { freq: 3 }),
  steps: fc.array(
    fc.oneof(
      { weight: 4, arbitrary: plainRead },
      { weight: 4, arbitrary: plainStart },
      { weight: 1, arbitrary: fuzzRequest },
      { weight: 3, arbitrary: fc.constantFrom(...CHANGES) },
    ),
    { minLength: 1, maxLength: 18 },
  ),
});

/** An account may have ten keys. */
const KEYS_MAX = 9;

/** Plays a sequence on an account of its own. @returns what was wrong with an answer, each with the step that it came at */
export async function play(world: World, others: Scene, { left, steps }: Sequence, tally: Tally): Promise<string[]> {
  const account = await world.addAccount('MONITOR');
  let site = await world.addSite(account);
  let key = await world.addKey(account);
  let revoked: (() => string) | undefined;
  let keyCount = 1;
  if (left !== null) await world.leave(key, left);

  const change = async (step: Change): Promise<void> => {
    if (step === 'revoke key') {
      await world.revoke(key);
      revoked = namesOf(site, key).good;
    } else if (step === 'new key' && keyCount < KEYS_MAX) {
      key = await world.addKey(account);
      keyCount += 1;
    } else if (step === 'remove site') await world.removeSite(site);
    else if (step === 'new site') site = await world.addSite(account);
    else if (step === 'new unverified site') site = await world.addSite(account, false);
    else if (step === 'verify site') await world.verify(site);
    else if (step === 'next day') world.moveDays(1);
    else if (step === 'next month') world.moveDays(31);
    else if (step === 'plan FREE') await world.setPlan(account, 'FREE');
    else if (step === 'plan MONITOR') await world.setPlan(account, 'MONITOR');
    else if (step === 'plan SCALE') await world.setPlan(account, 'SCALE');
  };

  const faults: string[] = [];
  for (const [index, step] of steps.entries()) {
    if (typeof step === 'string') await change(step);
    else {
      const scene = { ...others, ...namesOf(site, key), ...(revoked && { revoked }) };
      const found = await ask(world, render(step, scene), tally);
      faults.push(...found.map((fault) => `step ${index}: ${fault}`));
    }
  }
  return faults;
}
