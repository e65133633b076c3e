import { lookup } from 'node:dns/promises';
import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { App } from '../app/app.js';
import { HISTORY, makeHistory, shopAnswer } from '../app/demo/shop.js';
import { parseRun, type RunResponse } from '../app/runs/run.js';
import type { Site, SiteNote } from '../app/sites/site.js';
import type { Config } from '../config.js';
import { literalAddressOf, parseCidr } from '../net/address.js';
import type { Endpoint } from '../net/guard.js';
import { portOf } from '../net/url-gate.js';
import { ServiceError } from '../platform/errors.js';
import { createServer, type Handle, Lifecycle } from '../platform/http/server.js';
import { InputError } from '../platform/input-error.js';
import type { Logger } from '../platform/logging.js';
import { signInUrl } from './admin.js';

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseCidr);

function isLoopback(address: string): boolean {
  return LOOPBACK.some((range) => range?.contains(address));
}

/** Addresses that listen on every address of the machine, with the loopback address among these. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Returns the endpoint of our own origin, at the address on which we listen. Null if PUBLIC_URL leads anywhere else, such as to a public
 * host or to another port, where another program may listen.
 */
export async function findOwnEndpoint({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): Promise<Endpoint | null> {
  const url = new URL(publicUrl);
  const literal = literalAddressOf(url.hostname);
  if (portOf(url) !== port || !(literal === null ? url.hostname === 'localhost' : isLoopback(literal))) return null;
  const listening = isIP(host) === 0 ? (await lookup(host)).address : host;
  const address = WILDCARDS[listening] ?? listening;
  return isLoopback(address) ? { host: literal ?? url.hostname, address, port } : null;
}

/** A site with faults, which the demo serves on loopback at the port after its own. */
interface Shop {
  readonly origin: string;
  setVersion(number: number): void;
  close(): Promise<void>;
}

/** Opens the shop. The endpoints, on loopback, are those that the demo may scan: this service, unless PUBLIC_URL leads elsewhere, and the shop. */
export async function openDemoSites(
  config: Config,
  logger: Logger,
): Promise<{ readonly shop: Shop | null; readonly endpoints: readonly Endpoint[] }> {
  const own = await findOwnEndpoint(config);
  if (own === null) return { shop: null, endpoints: [] };
  const at = { ...own, port: own.port + 1 };
  const shop = await openShop(at, config.publicUrl, logger);
  const endpoints = shop ? [own, at] : [own];
  for (const endpoint of endpoints) logger.info({ ...endpoint }, 'guard exception active: may be scanned');
  return { shop, endpoints };
}

/** Returns null if the port is in use. */
async function openShop({ address, port }: Endpoint, publicUrl: string, logger: Logger): Promise<Shop | null> {
  const url = new URL(publicUrl);
  url.port = String(port);
  const { origin } = url;
  let number = 1;
  const handle: Handle = async (request, response) => {
    const { status, type, body } = shopAnswer(number, new URL(request.url ?? '/', origin).pathname, origin);
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
  const server = createServer({ handle, lifecycle: new Lifecycle(), logger });
  try {
    await server.listen(port, address);
  } catch (cause) {
    logger.info({ cause }, 'cannot serve the second site of the demo');
    return null;
  }
  return { origin, setVersion: (at) => void (number = at), close: () => server.close() };
}

/** What pages say about the two sites. */
const OWN_NOTE: SiteNote = { what: 'This service itself', how: 'The demo added it and made its first run.' };
const SHOP_NOTE: SiteNote = {
  what: 'A made-up shop, with faults to try things on',
  how:
    `Runs 1 to ${HISTORY.length} were made by the demo at its first start. ` +
    'The shop then fixed its robots.txt: check again to see it pass.',
};

export interface DemoOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly shop: Shop | null;
  /** Remarks that pages show, by the id of the site. */
  readonly siteNotes: Map<string, SiteNote>;
  readonly print: (text: string) => void;
  /** Where restarts find the API key of the first start. */
  readonly keyFile?: string | undefined;
}

const DEMO_EMAIL = 'demo@example.com';

/** The name of the demo's keys. A start revokes the keys of earlier ones by it. */
const DEMO_KEY_NAME = 'made by serve --demo';

/**
 * Creates what is missing: an account on MONITOR, the verified site of this service with one run, and the verified shop with its runs.
 * Prints where everything is.
 * @returns a function that stops the runs that it makes afterwards
 */
export async function showDemo(app: App, options: DemoOptions): Promise<() => void> {
  const { config, logger, shop, siteNotes, print, keyFile } = options;
  const { id: accountId } =
    (await app.accounts.findByEmail(DEMO_EMAIL)) ??
    (await app.accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
  const own = await findOrAddSite(app, accountId, config.publicUrl);
  const shopSite = shop && (await findOrAddSite(app, accountId, shop.origin));
  const key = await findOrReplaceKey(app, accountId, keyFile);
  const ownWithRun = own && { ...own, run: await findOrStartRun(app, own) };
  const { token } = await app.accounts.createSignInLink(accountId);
  print(describeDemo({ own: ownWithRun, key, shop: shopSite }, config, signInUrl(config, token)));
  if (own) siteNotes.set(own.id, OWN_NOTE);
  const stop = new AbortController();
  if (shop && shopSite) {
    siteNotes.set(shopSite.id, SHOP_NOTE);
    const context = { ...app, setVersion: shop.setVersion, signal: stop.signal };
    makeHistory({ siteId: shopSite.id, accountId }, context).catch((cause: unknown) =>
      logger.warn({ cause }, 'demo runs stopped'),
    );
  }
  return () => stop.abort();
}

/** Returns null where the demo's address leads into a private network: it also works without its sites. */
async function findOrAddSite({ sites }: App, accountId: string, origin: string): Promise<Site | null> {
  const found = (await sites.list(accountId)).find((site) => site.origin === origin);
  const site = found ?? (await sites.add({ accountId, site: origin }).catch(ignoreRefusal));
  return site?.verifiedAt === null ? sites.markVerified(site.id, 'operator') : site;
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}

/** Returns the key's text: that of the file if it still works, otherwise a new one. Null if the account can have no more keys. */
async function findOrReplaceKey({ keys }: App, accountId: string, file: string | undefined): Promise<string | null> {
  const former = await keys.list(accountId);
  const stored = file === undefined ? null : await readKeyFile(file);
  if (stored && former.some(({ id, state }) => id === stored.id && state === 'live')) return stored.key;
  const made = await keys.create({ accountId, name: DEMO_KEY_NAME }).catch(ignoreRefusal);
  if (!made) return null;
  for (const { id, name } of former) if (name === DEMO_KEY_NAME) await keys.revoke(id);
  const { apiKey, key } = made;
  if (file !== undefined) await writeFile(file, JSON.stringify({ id: apiKey.id, key }), { mode: 0o600 });
  return key;
}

/** Null on the first start, and for a file that was not written to its end. */
async function readKeyFile(file: string): Promise<{ readonly id: string; readonly key: string } | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { id: string; key: string };
  } catch {
    return null;
  }
}

async function findOrStartRun({ runs }: App, { accountId, id: siteId }: Site): Promise<RunResponse['run']> {
  const stored = await runs.latest({ accountId, siteId }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'no_completed_run') throw error;
    return runs.start({ accountId, siteId, trigger: 'MANUAL' });
  });
  return parseRun(stored.body).run;
}

/** What a start made or found. */
interface Demo {
  /** The service's own site with its last run; null if the guard refuses it. */
  readonly own: (Site & Pick<RunResponse, 'run'>) | null;
  /** Null if its port is in use. */
  readonly shop: Site | null;
  /** Null if the account can have no more keys. */
  readonly key: string | null;
}

/** Says where everything is, and the command that starts the next run. */
function describeDemo({ own, shop, key }: Demo, { publicUrl, port }: Config, signInLink: string): string {
  const runs =
    shop && shop.latestNumber >= HISTORY.length
      ? `${shop.latestNumber} runs`
      : `its first ${HISTORY.length} runs take a few seconds`;
  const second = shop
    ? `${shop.id}  ${shop.origin}, a made-up shop with faults: ${runs}`
    : `(the second one needs port ${port + 1}, which is in use; another pair: PORT=4000 make run)`;
  const sites = own
    ? `  Site       ${own.id}  ${own.origin}, which is this service itself
  Last run   number ${own.run.number}, ${own.run.reference}: ${own.run.score === null ? 'no score' : `score ${own.run.score} of 100`}
  Site       ${second}

  Start the next run:

    curl -i -X POST -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' ${publicUrl}/api/v1/sites/${own.id}/runs
`
    : `
  The service's own address, PUBLIC_URL, cannot be scanned from here. Add a site of yours in the dashboard.
`;
  const shownKey = key
    ? `${key}  (shown this once; the next start replaces it)`
    : 'no new one: the account has reached its limit of keys for this month. Use an existing key';
  return `
Agent Readiness Scan is ready at ${publicUrl}

  Dashboard  ${signInLink}
             (signs you in once, within the hour)
  API key    ${shownKey}
${sites}
  Ctrl-C stops the service.

`;
}
