import type { App } from '../app/app.js';
import { performShopRuns, respondAsShop, SHOP_RUNS } from '../app/demo/shop.js';
import { parseRun, type RunResponse } from '../app/runs/run.js';
import type { Site } from '../app/sites/site.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import { portOf } from '../net/url-gate.js';
import { InputError, ServiceError } from '../platform/errors.js';
import { createServer, Lifecycle } from '../platform/http/server.js';
import type { Logger } from '../platform/logging.js';
import { signInUrl } from './admin.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** Maps HOST to the loopback address that reaches it. */
const LOOPBACK_ADDRESSES: Readonly<Record<string, string>> = {
  '127.0.0.1': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::1': '::1',
  '::': '::1',
};

/**
 * Returns the service's own loopback endpoint. Null if PUBLIC_URL names another host or port, where another program may listen.
 */
export function findOwnEndpoint({
  publicUrl,
  host: listenHost,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): Endpoint | null {
  const url = new URL(publicUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = LOOPBACK_ADDRESSES[listenHost];
  return address && LOOPBACK_HOSTS.includes(host) && portOf(url) === port ? { host, address, port } : null;
}

/** Starts the shop. Also returns the loopback endpoints that the demo may scan: this service and the shop. */
export async function startDemoSites(config: Config, logger: Logger) {
  const own = findOwnEndpoint(config);
  if (own === null) return { shop: null, endpoints: [] };
  const shopEndpoint = { ...own, port: own.port + 1 };
  const shop = await startShop(shopEndpoint, config.publicUrl, logger);
  const endpoints = shop ? [own, shopEndpoint] : [own];
  for (const endpoint of endpoints) logger.info({ ...endpoint }, 'guard exception active for the demo');
  return { shop, endpoints };
}

type Shop = NonNullable<Awaited<ReturnType<typeof startShop>>>;

/** Starts the demo's second site, a shop with faults, on loopback at PORT + 1. Returns null if the port is in use. */
async function startShop({ address, port }: Endpoint, publicUrl: string, logger: Logger) {
  const { origin } = Object.assign(new URL(publicUrl), { port });
  let runNumber = 1;
  const server = createServer({
    async handle(request, response) {
      const { status, type, body } = respondAsShop(runNumber, new URL(request.url ?? '/', origin).pathname, origin);
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
    },
    lifecycle: new Lifecycle(),
    logger,
  });
  try {
    await server.listen(port, address);
  } catch (cause) {
    logger.info({ cause }, 'demo shop not started');
    return null;
  }
  return {
    origin,
    /** Makes the server answer as the shop does during this run. */
    setRunNumber: (number: number) => void (runNumber = number),
    close: () => server.close(),
  };
}

interface DemoOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly shop: Shop | null;
  readonly print: (text: string) => void;
}

const DEMO_EMAIL = 'demo@example.com';

/**
 * Creates what is missing: an account on MONITOR with a key, this service as a verified site with one run, and the verified shop with runs
 * that start in the background. Prints the links, ids and key.
 */
export async function setUpDemo(app: App, { config, logger, shop, print }: DemoOptions): Promise<void> {
  const known = (await app.accounts.list()).find(({ email }) => email === DEMO_EMAIL);
  const { id: accountId } =
    known ?? (await app.accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
  const key = known ? null : (await app.keys.create({ accountId, name: 'demo' })).key;
  const own = await findOrAddSite(app, accountId, config.publicUrl, 'this service');
  const shopSite = shop && (await findOrAddSite(app, accountId, shop.origin, 'made-up shop'));
  const sites = own ? describeSites(own, await findOrStartRun(app, own), { shop: shopSite, key, config }) : NO_SITES;
  const { token } = await app.accounts.createSignInLink(accountId);
  print(`
Agent Readiness Scan is ready at ${config.publicUrl}

  Dashboard  ${signInUrl(config, token)}
             (works once, within an hour)
  API key    ${key ? `${key}  (shown only once)` : 'shown at the first start; create another under "API keys"'}
${sites}
  Ctrl-C stops the service.

`);
  if (!shop || !shopSite) return;
  performShopRuns(app, { siteId: shopSite.id, accountId }, shop.setRunNumber).catch((cause: unknown) =>
    logger.info({ cause }, 'demo runs stopped'),
  );
}

/** Returns null if the guard refuses the origin: the demo also works without its sites. */
async function findOrAddSite({ sites }: App, accountId: string, origin: string, tag: string): Promise<Site | null> {
  const found = (await sites.list(accountId)).find((site) => site.origin === origin);
  const site = found ?? (await sites.add({ accountId, site: `${origin} #${tag}` }).catch(ignoreRefusal));
  return site?.verifiedAt === null ? sites.markVerified(site.id, 'operator') : site;
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}

async function findOrStartRun({ runs }: App, { accountId, id: siteId }: Site): Promise<RunResponse['run']> {
  const stored = await runs.read({ accountId, siteId }).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'no_completed_run') throw error;
    return runs.start({ accountId, siteId, trigger: 'MANUAL' });
  });
  return parseRun(stored.body).run;
}

const NO_SITES = `
  The service's own address, PUBLIC_URL, cannot be scanned from here. Add one of your sites in the dashboard.
`;

/** Describes the demo's sites and the next step. `shop` is null if its port is in use; `key` is null after the first start. */
function describeSites(
  own: Site,
  { number, reference, score }: RunResponse['run'],
  { shop, key, config }: { readonly shop: Site | null; readonly key: string | null; readonly config: Config },
): string {
  const { publicUrl, port } = config;
  const second = shop
    ? `${shop.id}  ${shop.origin}, a made-up shop with faults${shop.latestNumber < SHOP_RUNS.length ? `: its ${SHOP_RUNS.length} runs take a few seconds` : ''}.
             After run ${SHOP_RUNS.length}, its robots.txt is fixed: "Check again" shows it`
    : `(not started: it needs port ${port + 1}, which is in use; for ports 4000 and 4001: PORT=4000 make run)`;
  return `  Site       ${own.id}  ${own.origin}, which is this service itself
  Last run   number ${number}, ${reference}: ${score === null ? 'no score' : `score ${score} of 100`}
  Site       ${second}

  Start the next run:

    curl -i -X POST -H 'Authorization: Bearer ${key ?? '<API_KEY>'}' ${publicUrl}/api/v1/sites/${own.id}/runs
`;
}
