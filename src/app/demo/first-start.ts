import { ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { parseRun, type RunResponse } from '../runs/run.js';
import type { Account } from '../accounts/accounts.js';
import type { App } from '../app.js';
import type { Site } from '../sites/site.js';
import type { SiteNote } from '../sites/site-note.js';

const DEMO_EMAIL = 'demo@example.com';

/** Names the keys that starts make, as nobody would call a key of their own: the next start revokes them. */
const DEMO_KEY_NAME = 'made by serve --demo';

type DemoServices = Pick<App, 'accounts' | 'sites' | 'keys' | 'runs'>;

/** What the first start made, or found again. */
export interface Demo {
  /** Of a one-time link, made at every start. */
  readonly signInToken: string;
  /** The service's own site with its last run; null where the guard refuses it. */
  readonly own: { readonly site: Site; readonly run: RunResponse } | null;
  /** Another one, which the demonstration serves: its runs are made from now on. Null where there is no place for it. */
  readonly shop: Site | null;
  /** Made by this start; null where the account can have no more keys. */
  readonly key: string | null;
}

/** What pages say of the two sites. */
export const OWN_NOTE: SiteNote = { what: 'This service itself', how: 'The demo added it and made its first run.' };
export const SHOP_NOTE: SiteNote = {
  what: 'A made-up shop, with faults to try things on',
  how:
    'Runs 1 to 14 were made by the demo at its first start. ' +
    'The shop then fixed its robots.txt: check again to see it pass.',
};

/**
 * Makes what is not there yet: a demonstration account on MONITOR, and the service's own site at `origin`, verified, with one run; and the
 * site at `shopOrigin`. A start after one that was interrupted makes the rest. The key is new at each start, since that of the last one
 * cannot be shown again.
 */
export async function prepareDemo(services: DemoServices, origin: string, shopOrigin: string | null): Promise<Demo> {
  const account = await findOrCreateAccount(services);
  const site = await findOrAddSite(services, account, origin);
  const shop = shopOrigin === null ? null : await findOrAddSite(services, account, shopOrigin);
  const key = await replaceKey(services, account);
  const own = site && { site, run: await findOrStartRun(services, site) };
  const { token: signInToken } = await services.accounts.createSignInLink(account.id);
  return { signInToken, own, shop, key };
}

async function findOrCreateAccount({ accounts }: DemoServices): Promise<Account> {
  const found = await accounts.findByEmail(DEMO_EMAIL);
  if (found) return found;
  return (await accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
}

async function findOrAddSite({ sites }: DemoServices, account: Account, origin: string): Promise<Site | null> {
  const found = (await sites.list(account.id)).find((site) => site.origin === origin);
  const site = found ?? (await sites.add({ accountId: account.id, site: origin }).catch(nullForRefused));
  return site?.verifiedAt === null ? sites.markVerified(site.id, 'operator') : site;
}

/** A service whose address leads into a private network has nothing to show, but works all the same. */
function nullForRefused(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}

async function replaceKey({ keys }: DemoServices, account: Account): Promise<string | null> {
  const former = await keys.list(account.id);
  const made = await keys.create({ accountId: account.id, name: DEMO_KEY_NAME }).catch(nullForRefused);
  if (!made) return null;
  for (const { id, name } of former) if (name === DEMO_KEY_NAME) await keys.revoke(id);
  return made.key;
}

async function findOrStartRun({ runs }: DemoServices, { accountId, id: siteId }: Site): Promise<RunResponse> {
  const stored = await runs.latest({ accountId, siteId }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'no_completed_run') throw error;
    return runs.start({ accountId, siteId, trigger: 'MANUAL' });
  });
  return parseRun(stored.body);
}

/**
 * What a person sees: where everything is, and the line that starts the next run.
 * @param signInUrl the address of the one-time link
 */
export function describeDemo({ own, shop, key }: Demo, publicUrl: string, signInUrl: string): string {
  const keyLine = key
    ? `${key}  (shown this once; the next start replaces it)`
    : 'the account can have no more this month; take one that it has, or revoke one in the dashboard';
  return `
Agent Readiness Scan is ready at ${publicUrl}

  Dashboard  ${signInUrl}
             (signs you in once, within the hour)
  API key    ${keyLine}
${own ? describeOwn(own, shop, key, publicUrl) : REFUSED}
  Ctrl-C stops the service.

`;
}

const SHOP = 'a made-up shop with faults: 14 runs within half a minute';
const NO_SHOP = '(no second one: the port after PORT is taken)';

const REFUSED = `
  The service's own address, PUBLIC_URL, cannot be scanned from here. Add a site of yours in the dashboard.
`;

function describeOwn(
  { site, run: { run } }: NonNullable<Demo['own']>,
  shop: Demo['shop'],
  key: string | null,
  publicUrl: string,
): string {
  const score = run.score === null ? 'no score' : `score ${run.score} of 100`;
  return `  Site       ${site.id}  ${site.origin}, which is this service itself
  Last run   number ${run.number}, ${run.reference}: ${score}
  Site       ${shop ? `${shop.id}  ${shop.origin}, ${SHOP}` : NO_SHOP}

  Start the next run:

    curl -i -X POST -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' ${publicUrl}/api/v1/sites/${site.id}/runs
`;
}
