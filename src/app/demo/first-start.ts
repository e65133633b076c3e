import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { parseRun, type RunResponse } from '../runs/run.js';
import type { App } from '../app.js';
import type { Site, SiteNote } from '../sites/site.js';
import { HISTORY } from './shop.js';

const DEMO_EMAIL = 'demo@example.com';

/** The name of the demo's keys. A start revokes the keys of earlier ones by it. */
const DEMO_KEY_NAME = 'made by serve --demo';

type DemoServices = Pick<App, 'accounts' | 'sites' | 'keys' | 'runs'>;

export interface DemoKey {
  readonly id: string;
  readonly key: string;
}

/** What a start made or found. */
export interface Demo {
  /** Token of a one-time link, new at every start. */
  readonly signInToken: string;
  /** The service's own site with its last run; null if the guard refuses it. */
  readonly own: { readonly site: Site; readonly run: RunResponse } | null;
  /** A second site, which the demo serves and runs; null if its port is in use. */
  readonly shop: Site | null;
  /** Null if the account can have no more keys. */
  readonly key: DemoKey | null;
}

/** What pages say about the two sites. */
export const OWN_NOTE: SiteNote = { what: 'This service itself', how: 'The demo added it and made its first run.' };
export const SHOP_NOTE: SiteNote = {
  what: 'A made-up shop, with faults to try things on',
  how:
    `Runs 1 to ${HISTORY.length} were made by the demo at its first start. ` +
    'The shop then fixed its robots.txt: check again to see it pass.',
};

/**
 * Creates what is missing: an account on MONITOR, the verified site at `origin` (this service) with one run, and the verified site at
 * `shopOrigin`. The key is new at each start, unless `storedKey` still works.
 */
export async function prepareDemo(
  services: DemoServices,
  { origin, shopOrigin, storedKey }: { origin: string; shopOrigin: string | null; storedKey: DemoKey | null },
): Promise<Demo> {
  const { accounts, sites } = services;
  const { id: accountId } =
    (await accounts.findByEmail(DEMO_EMAIL)) ??
    (await accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
  const site = await findOrAddSite(services, accountId, origin);
  const shopSite = shopOrigin === null ? null : await findOrAddSite(services, accountId, shopOrigin);
  return {
    key: await findOrReplaceKey(services, accountId, storedKey),
    own: site && { site, run: await findOrStartRun(services, site) },
    shop: shopSite && (await sites.getOwn({ siteId: shopSite.id, accountId })),
    signInToken: (await accounts.createSignInLink(accountId)).token,
  };
}

async function findOrAddSite({ sites }: DemoServices, accountId: string, origin: string): Promise<Site | null> {
  const found = (await sites.list(accountId)).find((site) => site.origin === origin);
  const site = found ?? (await sites.add({ accountId, site: origin }).catch(ignoreRefusal));
  return site?.verifiedAt === null ? sites.markVerified(site.id, 'operator') : site;
}

/** The demo also works without its sites, if its address leads into a private network. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}

async function findOrReplaceKey(
  { keys }: DemoServices,
  accountId: string,
  stored: DemoKey | null,
): Promise<DemoKey | null> {
  const former = await keys.list(accountId);
  if (stored && former.some(({ id, state }) => id === stored.id && state === 'live')) return stored;
  const made = await keys.create({ accountId, name: DEMO_KEY_NAME }).catch(ignoreRefusal);
  if (!made) return null;
  for (const { id, name } of former) if (name === DEMO_KEY_NAME) await keys.revoke(id);
  return { id: made.apiKey.id, key: made.key };
}

async function findOrStartRun({ runs }: DemoServices, { accountId, id: siteId }: Site): Promise<RunResponse> {
  const stored = await runs.latest({ accountId, siteId }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'no_completed_run') throw error;
    return runs.start({ accountId, siteId, trigger: 'MANUAL' });
  });
  return parseRun(stored.body);
}

interface DemoAddresses {
  readonly publicUrl: string;
  readonly port: number;
  /** The one-time link. */
  readonly signInUrl: string;
}

/** Prints where everything is, and the command that starts the next run. */
export function describeDemo(demo: Demo, addresses: DemoAddresses): string {
  const key = demo.key
    ? `${demo.key.key}  (shown this once; the next start replaces it)`
    : 'the account can have no more this month; take one that it has, or revoke one in the dashboard';
  return `
Agent Readiness Scan is ready at ${addresses.publicUrl}

  Dashboard  ${addresses.signInUrl}
             (signs you in once, within the hour)
  API key    ${key}
${demo.own ? describeSites(demo, demo.own, addresses) : REFUSED}
  Ctrl-C stops the service.

`;
}

const REFUSED = `
  The service's own address, PUBLIC_URL, cannot be scanned from here. Add a site of yours in the dashboard.
`;

function describeSites(
  { shop, key }: Demo,
  { site, run: { run } }: NonNullable<Demo['own']>,
  addresses: DemoAddresses,
): string {
  const score = run.score === null ? 'no score' : `score ${run.score} of 100`;
  return `  Site       ${site.id}  ${site.origin}, which is this service itself
  Last run   number ${run.number}, ${run.reference}: ${score}
  Site       ${describeShop(shop, addresses)}

  Start the next run:

    curl -i -X POST -H 'Authorization: Bearer ${key?.key ?? '<API_KEY>'}' ${addresses.publicUrl}/api/v1/sites/${site.id}/runs
`;
}

function describeShop(shop: Demo['shop'], { port }: DemoAddresses): string {
  if (!shop) return `(the second one needs port ${port + 1}, which is in use; another pair: PORT=4000 make run)`;
  const { id, origin, latestNumber } = shop;
  const isComplete = latestNumber >= HISTORY.length;
  const runs = isComplete ? `${latestNumber} runs` : `its first ${HISTORY.length} runs take a few seconds`;
  return `${id}  ${origin}, a made-up shop with faults: ${runs}`;
}
