import type { App } from '../app/app.js';
import { HISTORY, makeHistory, shopAnswer } from '../app/demo/shop.js';
import { parseRun, type RunResponse } from '../app/runs/run.js';
import type { Site } from '../app/sites/site.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import { portOf } from '../net/url-gate.js';
import { ServiceError } from '../platform/errors.js';
import { createServer, Lifecycle } from '../platform/http/server.js';
import { InputError } from '../platform/input-error.js';
import type { Logger } from '../platform/logging.js';
import { signInUrl } from './admin.js';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '::1'];

/** The loopback address that reaches us, by the address to listen on. */
const OWN_ADDRESSES: Readonly<Record<string, string>> = {
  '127.0.0.1': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '::1': '::1',
  '::': '::1',
};

/**
 * Returns the endpoint of our own origin. Null if PUBLIC_URL leads anywhere else, such as to a public host or to another port, where another
 * program may listen.
 */
export function findOwnEndpoint({
  publicUrl,
  host: listensOn,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): Endpoint | null {
  const url = new URL(publicUrl);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = OWN_ADDRESSES[listensOn];
  return address && LOOPBACK_HOSTS.includes(host) && portOf(url) === port ? { host, address, port } : null;
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
  const own = findOwnEndpoint(config);
  if (own === null) return { shop: null, endpoints: [] };
  const at = { ...own, port: own.port + 1 };
  const shop = await openShop(at, config.publicUrl, logger);
  const endpoints = shop ? [own, at] : [own];
  for (const endpoint of endpoints) logger.info({ ...endpoint }, 'guard exception active: may be scanned');
  return { shop, endpoints };
}

/** Returns null if the port is in use. */
async function openShop({ address, port }: Endpoint, publicUrl: string, logger: Logger): Promise<Shop | null> {
  const { origin } = Object.assign(new URL(publicUrl), { port });
  let number = 1;
  const server = createServer({
    async handle(request, response) {
      const { status, type, body } = shopAnswer(number, new URL(request.url ?? '/', origin).pathname, origin);
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
    },
    lifecycle: new Lifecycle(),
    logger,
  });
  try {
    await server.listen(port, address);
  } catch (cause) {
    logger.info({ cause }, 'cannot serve the second site of the demo');
    return null;
  }
  return { origin, setVersion: (at) => void (number = at), close: () => server.close() };
}

export interface DemoOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly shop: Shop | null;
  readonly print: (text: string) => void;
}

const DEMO_EMAIL = 'demo@example.com';

/**
 * Creates what is missing: an account on MONITOR with a key, the verified site of this service with one run, and the verified shop, whose runs
 * follow in the background. Prints where everything is.
 */
export async function showDemo(app: App, { config, logger, shop, print }: DemoOptions): Promise<void> {
  const known = (await app.accounts.list()).find(({ email }) => email === DEMO_EMAIL);
  const { id: accountId } =
    known ?? (await app.accounts.create({ email: DEMO_EMAIL, plan: 'MONITOR', name: 'Demo' })).account;
  const key = known ? null : (await app.keys.create({ accountId, name: 'demo' })).key;
  const own = await findOrAddSite(app, accountId, config.publicUrl, 'this service');
  const shopSite = shop && (await findOrAddSite(app, accountId, shop.origin, 'made-up shop'));
  const ownWithRun = own && { ...own, run: await findOrStartRun(app, own) };
  const { token } = await app.accounts.createSignInLink(accountId);
  print(describeDemo({ own: ownWithRun, key, shop: shopSite }, config, signInUrl(config, token)));
  if (!shop || !shopSite) return;
  makeHistory(app, { siteId: shopSite.id, accountId }, shop.setVersion).catch((cause: unknown) =>
    logger.info({ cause }, 'demo runs stopped'),
  );
}

/** Returns null where the demo's address leads into a private network: it also works without its sites. */
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
  /** Null after the first start. */
  readonly key: string | null;
}

/** Says where everything is, and the command that starts the next run. */
function describeDemo({ own, shop, key }: Demo, { publicUrl, port }: Config, signInLink: string): string {
  const second = shop
    ? `${shop.id}  ${shop.origin}, a made-up shop with faults${shop.latestNumber < HISTORY.length ? `: its ${HISTORY.length} runs are made in a few seconds` : ''}.
             After run ${HISTORY.length}, its robots.txt is fixed: "Check again" shows it`
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
  return `
Agent Readiness Scan is ready at ${publicUrl}

  Dashboard  ${signInLink}
             (signs you in once, within the hour)
  API key    ${key ? `${key}  (shown this once)` : 'shown at the first start; create another under "API keys"'}
${sites}
  Ctrl-C stops the service.

`;
}
