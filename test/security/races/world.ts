import { setTimeout as pause } from 'node:timers/promises';
import { createHook } from '../../../src/app/automation/deploy-hooks.js';
import type { Clock } from '../../../src/platform/clock.js';
import { InputError, ServiceError } from '../../../src/platform/errors.js';
import type { Database } from '../../../src/store/database.js';
import { pick } from '../../support/random.js';
import { openServices } from '../../support/services.js';
import { History } from './history.js';
import { runOf, type Terms } from './invariants.js';

/** Changes accounts, keys and sites, by services or by commands of another process. */
export interface Office {
  revoke(keyId: string): Promise<unknown>;
  setPlan(accountId: string, plan: string): Promise<unknown>;
  removeSite(siteId: string): Promise<unknown>;
}

/** Opens the services that an operator's commands use. */
export function openOffice(db: Database, clock: Clock): Office {
  const { accounts, keys, siteRemoval } = openServices(db, { clock });
  return {
    revoke: (keyId) => keys.revoke(keyId),
    setPlan: (accountId, plan) => accounts.setPlan(accountId, plan),
    removeSite: (siteId) => siteRemoval.remove(siteId),
  };
}

/** An account with its keys and sites that still work. */
export interface Customer {
  readonly id: string;
  readonly keys: { readonly id: string; readonly key: string }[];
  readonly sites: string[];
  /** An account has one change at a time, so that their order is known. */
  isChanging: boolean;
}

export interface WorldOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly customers: number;
  /** Returns the origin or name of the n-th site. */
  readonly siteOf: (index: number) => string;
  readonly sitesEach: number;
  readonly quota: number;
}

/** Customers whose keys, sites and plans change while clients use them. */
export class World {
  readonly history = new History();
  readonly customers: Customer[] = [];
  readonly #owners = new Map<string, string>();
  readonly #services;
  #siteCount = 0;

  constructor(readonly options: WorldOptions) {
    this.#services = openServices(options.db, { clock: options.clock, sitesMaxOverride: 1_000_000 });
  }

  terms(isDisturbed: boolean, failedDeploys: readonly string[] = []): Terms {
    return { owners: this.#owners, quota: this.options.quota, isDisturbed, failedDeploys };
  }

  async fill(): Promise<void> {
    for (let count = 0; count < this.options.customers; count += 1) await this.addCustomer();
  }

  async addCustomer(): Promise<Customer> {
    const email = `customer${this.customers.length}@example.com`;
    const { account } = await this.#services.accounts.create({ email, plan: 'MONITOR' });
    const customer: Customer = { id: account.id, keys: [], sites: [], isChanging: false };
    for (let count = 0; count < 2; count += 1) await this.#addKey(customer);
    for (let count = 0; count < this.options.sitesEach; count += 1) await this.addSite(customer);
    this.customers.push(customer);
    return customer;
  }

  async #addKey({ id: accountId, keys }: Customer): Promise<void> {
    const { apiKey, key } = await this.#services.keys.create({ accountId, name: 'client' });
    this.#owners.set(apiKey.id, accountId);
    keys.push({ id: apiKey.id, key });
  }

  async addSite(customer: Customer): Promise<void> {
    const site = this.options.siteOf(this.#siteCount);
    // Before it is added, since another site may be added at the same time.
    this.#siteCount += 1;
    const { id } = await this.#services.sites.add({ accountId: customer.id, site });
    await this.#services.sites.markVerified(id, 'operator');
    customer.sites.push(id);
  }

  /** Creates a key and revokes the oldest. Clients that picked the old one go on using it. */
  async replaceKey(customer: Customer, office: Office): Promise<void> {
    const [first] = customer.keys;
    // An account has at most ten keys, including those used this month.
    await this.#addKey(customer).catch((error: unknown) => {
      if (!(error instanceof InputError)) throw error;
    });
    if (!first || customer.keys.length < 2) return;
    customer.keys.shift();
    await this.history.change({ kind: 'revoked', id: first.id }, () => office.revoke(first.id));
  }

  async changePlan({ id }: Customer, plan: string, office: Office): Promise<void> {
    await this.history.change({ kind: 'plan', id, plan }, () => office.setPlan(id, plan));
  }

  async replaceSite(customer: Customer, office: Office): Promise<void> {
    await this.addSite(customer);
    const first = customer.sites.shift() ?? '';
    await this.history.change({ kind: 'removed', id: first }, () => office.removeSite(first));
  }

  /** Creates a deploy hook for every site. @returns the tokens by site id */
  async addHooks(): Promise<ReadonlyMap<string, string>> {
    const tokens = new Map<string, string>();
    for (const { id: accountId, sites } of this.customers) {
      for (const siteId of sites) tokens.set(siteId, await createHook(this.options, { accountId, siteId }));
    }
    return tokens;
  }
}

/** A process that answers the API. */
export interface Node {
  readonly port: number;
}

/** Something else that clients do. */
export interface Deed {
  readonly weight: number;
  readonly act: (customer: Customer, siteId: string) => Promise<unknown>;
}

export interface ClientsOptions {
  readonly world: World;
  readonly nodes: readonly Node[];
  readonly office: Office;
  readonly random: () => number;
  readonly clients: number;
  /** Called before each step. */
  readonly goesOn: (steps: number) => boolean;
  readonly deeds: readonly Deed[];
  /** The share of steps that change an account. */
  readonly changeShare: number;
}

/** The share of requests for another account's site. */
const FOREIGN_SHARE = 0.05;

/** Runs concurrent clients, each with one request at a time. @returns the number of steps */
export async function runClients(options: ClientsOptions): Promise<number> {
  let steps = 0;
  const live = async (): Promise<void> => {
    while (options.goesOn(steps)) {
      steps += 1;
      // Refusals are answers too, such as those of a database that is down.
      await takeStep(options).catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: options.clients }, live));
  return steps;
}

async function takeStep(options: ClientsOptions): Promise<unknown> {
  const { world, random, deeds, changeShare } = options;
  const customer = pick(world.customers, random);
  if (!customer) return;
  if (random() < changeShare) return makeChange(options, customer);
  const siteId = pick(customer.sites, random) ?? '';
  let dice = random();
  for (const { weight, act } of deeds) if ((dice -= weight) < 0) return act(customer, siteId);
  return ask(options, customer, siteId);
}

async function ask({ world, nodes, random }: ClientsOptions, customer: Customer, siteId: string): Promise<void> {
  const { id: keyId, key } = pick(customer.keys, random) ?? { id: '', key: '' };
  const askAny = (question: { op: 'start' | 'latest' | 'byNumber'; number: number; siteId: string }) =>
    world.history.ask(pick(nodes, random)?.port ?? 0, { keyId, key, ...question });
  const other = random() < FOREIGN_SHARE ? pick(pick(world.customers, random)?.sites ?? [], random) : undefined;
  const asked = other ?? siteId;
  const dice = random();
  const op = dice < 0.4 ? 'start' : dice < 0.7 ? 'latest' : 'byNumber';
  const call = await askAny({ op, number: Math.floor(random() * 9), siteId: asked });
  // A process is being restarted.
  if (call.broken === 'not connected') await pause(50);
  if (call.status !== 201) return;
  // Reads the acknowledged run from any process.
  const number = runOf(call)?.number ?? 0;
  await askAny({ op: random() < 0.5 ? 'latest' : 'byNumber', number, siteId: asked });
}

async function makeChange({ world, office, random }: ClientsOptions, customer: Customer): Promise<void> {
  if (customer.isChanging) return;
  customer.isChanging = true;
  const dice = random();
  try {
    if (dice < 0.5) await world.changePlan(customer, pick(['FREE', 'MONITOR', 'SCALE'], random) ?? '', office);
    else if (dice < 0.75) await world.replaceKey(customer, office);
    else await world.replaceSite(customer, office);
  } finally {
    customer.isChanging = false;
  }
}
