import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../../src/platform/errors.js';
import { pick } from '../../support/random.js';
import type { Call } from './history.js';
import { runOf } from './invariants.js';
import type { Customer, Office, World } from './world.js';

/** A process that answers the API. */
export interface Node {
  readonly port: number;
}

/** Something else that a client does now and then. */
export interface Deed {
  readonly weight: number;
  readonly act: (customer: Customer, siteId: string) => Promise<unknown>;
}

export interface ClientsOptions {
  readonly world: World;
  readonly nodes: () => readonly Node[];
  readonly office: Office;
  readonly random: () => number;
  readonly clients: number;
  /** Whether a client goes on; asked before each step. */
  readonly goesOn: (steps: number) => boolean;
  readonly deeds?: readonly Deed[];
  /** How often, of all steps, something of an account is changed. */
  readonly changeShare?: number;
}

/** Many clients at once, each of which asks one thing after the other; resolves when all have ended. @returns the steps taken */
export async function runClients(options: ClientsOptions): Promise<number> {
  let steps = 0;
  const live = async (): Promise<void> => {
    while (options.goesOn(steps)) {
      steps += 1;
      await takeStep(options);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, live));
  return steps;
}

const CHANGE_SHARE = 0.04;

/** Sites of others are asked for this often. */
const FOREIGN_SHARE = 0.05;

async function takeStep(options: ClientsOptions): Promise<void> {
  const { world, random, deeds = [], changeShare = CHANGE_SHARE } = options;
  const customer = pick(world.customers, random);
  if (!customer) return;
  const siteId = pick(customer.sites, random) ?? '';
  if (random() < changeShare) return makeChange(options, customer);
  let dice = random();
  for (const { weight, act } of deeds) {
    if ((dice -= weight) < 0) {
      await act(customer, siteId).catch(unlessRefused);
      return;
    }
  }
  await ask(options, customer, siteId);
}

async function ask({ world, nodes, random }: ClientsOptions, customer: Customer, siteId: string): Promise<void> {
  const node = pick(nodes(), random);
  const key = pick(customer.keys, random);
  if (!node || !key) return;
  const ofOther = random() < FOREIGN_SHARE ? pick(pick(world.customers, random)?.sites ?? [], random) : undefined;
  const question = { keyId: key.id, key: key.key, siteId: ofOther ?? siteId };
  const dice = random();
  const op = dice < 0.4 ? 'start' : dice < 0.7 ? 'latest' : 'byNumber';
  const call = await world.history.ask(node.port, { ...question, op, number: Math.floor(random() * 9) });
  // Nobody listens between two starts of a process.
  if (call.broken === 'not connected') await pause(50);
  // What was acknowledged by one process is asked for again from any.
  if (call.status === 201) await readBack(call, { world, port: pick(nodes(), random)?.port ?? node.port, random });
}

async function readBack(
  { key, keyId, siteId, ...call }: Call,
  { world, port, random }: { readonly world: World; readonly port: number; readonly random: () => number },
): Promise<void> {
  const number = runOf({ key, keyId, siteId, ...call })?.number ?? 0;
  await world.history.ask(port, { key, keyId, siteId, number, op: random() < 0.5 ? 'latest' : 'byNumber' });
}

/** One change at a time of each account. */
async function makeChange({ world, office, random }: ClientsOptions, customer: Customer): Promise<void> {
  if (customer.isChanging) return;
  customer.isChanging = true;
  try {
    const dice = random();
    if (dice < 0.5) await world.changePlan(customer, pick(['FREE', 'MONITOR', 'SCALE'], random) ?? '', office);
    else if (dice < 0.75) await world.replaceKey(customer, office);
    else await world.replaceSite(customer, office);
  } catch (error) {
    unlessRefused(error);
  } finally {
    customer.isChanging = false;
  }
}

/** What a person is refused, and a database that is away, are answers like others. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}
