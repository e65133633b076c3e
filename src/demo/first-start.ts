import type { Account, Accounts } from '../service/accounts.js';
import type { Keys } from '../service/keys.js';
import type { Runs } from '../service/runs.js';
import type { Site, Sites } from '../service/sites.js';
import type { RunResponse } from '../domain/run.js';

const DEMO_EMAIL = 'demo@example.com';

export interface DemoServices {
  readonly accounts: Accounts;
  readonly sites: Sites;
  readonly keys: Keys;
  readonly runs: Runs;
}

/** What the first start made, or found again. */
export interface Demo {
  readonly site: Site;
  /** The key itself, only from the start that made it. */
  readonly key: string | null;
  readonly run: RunResponse;
}

/** The demonstration site as an earlier start stored it: it has to be served at the same address again. */
export async function findDemoSite({
  accounts,
  sites,
}: Pick<DemoServices, 'accounts' | 'sites'>): Promise<Site | null> {
  const account = await accounts.findByEmail(DEMO_EMAIL);
  if (!account) return null;
  return (await sites.list(account.id))[0] ?? null;
}

/**
 * Makes what is not there yet: a demonstration account on MONITOR, its verified site at `origin`, a key, and one run. A start
 * after one that was interrupted makes the rest.
 */
export async function prepareDemo(services: DemoServices, origin: string): Promise<Demo> {
  const account = await findOrCreateAccount(services);
  const site = await findOrAddSite(services, account, origin);
  const key = await createFirstKey(services, account);
  return { site, key, run: await findOrStartRun(services, account, site) };
}

async function findOrCreateAccount({ accounts }: DemoServices): Promise<Account> {
  const found = await accounts.findByEmail(DEMO_EMAIL);
  if (found) return found;
  return (await accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
}

async function findOrAddSite({ sites }: DemoServices, account: Account, origin: string): Promise<Site> {
  const found = (await sites.list(account.id)).find((site) => site.origin === origin);
  const site = found ?? (await sites.add({ accountId: account.id, site: origin }));
  return site.verifiedAt === null ? sites.markVerified(site.id, 'operator') : site;
}

async function createFirstKey({ keys }: DemoServices, account: Account): Promise<string | null> {
  if ((await keys.list(account.id)).length > 0) return null;
  return (await keys.create({ accountId: account.id, name: 'First start' })).key;
}

async function findOrStartRun({ runs }: DemoServices, account: Account, site: Site): Promise<RunResponse> {
  const request = { accountId: account.id, siteId: site.id };
  const stored = await runs.latest(request).catch(() => runs.start({ ...request, trigger: 'MANUAL' }));
  return JSON.parse(Buffer.from(stored.body).toString()) as RunResponse;
}

/** What a person sees: where everything is, and the line that starts the next run. */
export function describeDemo({ site, key, run }: Demo, publicUrl: string): string {
  const { number, reference, score } = run.run;
  const keyLine = key
    ? `${key}  (shown this once)`
    : 'made by an earlier start; "agent-readiness key create" makes another';
  return `
Agent Readiness Scan is ready at ${publicUrl}

  Demo site  ${site.id}  ${site.origin}
  Last run   number ${number}, ${reference}: ${score === null ? 'no score' : `score ${score} of 100`}
  API key    ${keyLine}

  Start the next run:

    curl -i -X POST -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' ${publicUrl}/api/v1/sites/${site.id}/runs

  The API is described at ${publicUrl}/api/v1/openapi.json. Ctrl-C stops the service.

`;
}
