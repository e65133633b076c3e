import type { Clock } from '../../../src/platform/clock.js';
import { InputError } from '../../../src/platform/input-error.js';
import { createHook } from '../../../src/app/automation/deploy-hooks.js';
import type { Database } from '../../../src/store/database.js';
import { openServices } from '../../support/services.js';
import { History } from './history.js';
import type { Terms } from './invariants.js';

/** What accounts, keys and sites are changed by: services on a connection of their own, or commands of another process. */
export interface Office {
  revoke(keyId: string): Promise<unknown>;
  setPlan(accountId: string, plan: string): Promise<unknown>;
  removeSite(siteId: string): Promise<unknown>;
}

export interface Key {
  readonly id: string;
  readonly key: string;
}

/** An account with what of it can be used now. */
export interface Customer {
  readonly id: string;
  readonly keys: Key[];
  readonly sites: string[];
  plan: string;
  /** One change of an account at a time, so that their order is known. */
  isChanging: boolean;
}

export interface WorldOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly customers: number;
  /** The origins or names of the sites of a customer, by number. */
  readonly siteOf: (index: number) => string;
  readonly sitesEach: number;
  readonly quota: number;
}

/** Customers whose keys, sites and plans change while clients use them. */
export class World {
  readonly history = new History();
  readonly customers: Customer[] = [];
  readonly #owners = new Map<string, string>();
  readonly #plans = new Map<string, string>();
  readonly #services;
  #siteCount = 0;

  constructor(readonly options: WorldOptions) {
    this.#services = openServices(options.db, { clock: options.clock, sitesMaxOverride: 1_000_000 });
  }

  /** As they are now: a key that came later has its owner, too. */
  terms(isDisturbed: boolean, failedDeploys: readonly string[] = []): Terms {
    return { plans: this.#plans, owners: this.#owners, quota: this.options.quota, isDisturbed, failedDeploys };
  }

  async fill(): Promise<void> {
    for (let count = 0; count < this.options.customers; count += 1) await this.addCustomer();
  }

  async addCustomer(): Promise<Customer> {
    const email = `customer${this.customers.length}@example.com`;
    const { account } = await this.#services.accounts.create({ email, plan: 'MONITOR' });
    const customer: Customer = { id: account.id, keys: [], sites: [], plan: 'MONITOR', isChanging: false };
    this.#plans.set(account.id, 'MONITOR');
    for (let count = 0; count < 2; count += 1) await this.addKey(customer);
    for (let count = 0; count < this.options.sitesEach; count += 1) await this.addSite(customer);
    this.customers.push(customer);
    return customer;
  }

  async addKey(customer: Customer): Promise<void> {
    const { apiKey, key } = await this.#services.keys.create({ accountId: customer.id, name: 'client' });
    this.#owners.set(apiKey.id, customer.id);
    customer.keys.push({ id: apiKey.id, key });
  }

  async addSite(customer: Customer): Promise<void> {
    const site = await this.#services.sites.add({ accountId: customer.id, site: this.options.siteOf(this.#siteCount) });
    this.#siteCount += 1;
    await this.#services.sites.markVerified(site.id, 'operator');
    customer.sites.push(site.id);
  }

  /** Revokes the first key and makes another in its place; the revoked one is used on by whoever has it. */
  async replaceKey(customer: Customer, office: Office): Promise<void> {
    const [first] = customer.keys;
    if (!first) return;
    await this.addKey(customer).catch(unlessTooMany);
    if (customer.keys.length < 2) return;
    customer.keys.shift();
    await this.history.change({ kind: 'revoked', id: first.id }, () => office.revoke(first.id));
  }

  async changePlan(customer: Customer, plan: string, office: Office): Promise<void> {
    await this.history.change({ kind: 'plan', id: customer.id, plan }, () => office.setPlan(customer.id, plan));
    customer.plan = plan;
  }

  /** Gives every site that is there now a deploy hook. @returns the secrets by site */
  async addHooks(): Promise<ReadonlyMap<string, string>> {
    const { db, clock } = this.options;
    const tokens = new Map<string, string>();
    for (const { id: accountId, sites } of this.customers) {
      for (const siteId of sites) tokens.set(siteId, await createHook({ db, clock }, { accountId, siteId }));
    }
    return tokens;
  }

  async replaceSite(customer: Customer, office: Office): Promise<void> {
    const [first] = customer.sites;
    if (first === undefined) return;
    await this.addSite(customer);
    customer.sites.shift();
    await this.history.change({ kind: 'removed', id: first }, () => office.removeSite(first));
  }
}

/** An account has ten keys at most, with those that it has used up this month. */
function unlessTooMany(error: unknown): void {
  if (!(error instanceof InputError)) throw error;
}

/** The services themselves, on a connection of their own: as a command of another process uses them. */
export function openOffice(db: Database, clock: Clock): Office {
  const { accounts, keys, siteRemoval } = openServices(db, { clock });
  return {
    revoke: (keyId) => keys.revoke(keyId),
    setPlan: (accountId, plan) => accounts.setPlan(accountId, plan),
    removeSite: (siteId) => siteRemoval.remove(siteId),
  };
}
