import { lookup } from 'node:dns/promises';
import { readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { App } from '../app/app.js';
import { type DemoKey, describeDemo, OWN_NOTE, prepareDemo, SHOP_NOTE } from '../app/demo/first-start.js';
import { makeHistory, shopAnswer } from '../app/demo/shop.js';
import type { SiteNote } from '../app/sites/site.js';
import type { Config } from '../config.js';
import { literalAddressOf, parseCidr } from '../net/address.js';
import type { Endpoint } from '../net/guard.js';
import { portOf } from '../net/url-gate.js';
import { createServer, type Handle, Lifecycle } from '../platform/http/server.js';
import type { Logger } from '../platform/logging.js';
import { signInUrl } from './admin.js';

/** A site with faults, which the demo serves on loopback at the port after its own. */
export interface Shop {
  readonly origin: string;
  readonly endpoint: Endpoint;
  setVersion(number: number): void;
  close(): Promise<void>;
}

export interface DemoSites {
  readonly shop: Shop | null;
  /** Loopback endpoints that the demo may scan: the shop, and this service unless PUBLIC_URL leads elsewhere. */
  readonly endpoints: readonly Endpoint[];
}

export const NO_DEMO_SITES: DemoSites = { shop: null, endpoints: [] };

export async function openDemoSites(config: Config, logger: Logger): Promise<DemoSites> {
  const own = await findOwnEndpoint(config);
  if (own === null) return NO_DEMO_SITES;
  const shop = await openShop(own, config.publicUrl, logger);
  const endpoints = shop ? [own, shop.endpoint] : [own];
  for (const endpoint of endpoints) logger.info({ ...endpoint }, 'guard exception active: may be scanned');
  return { shop, endpoints };
}

/** Returns null if the port is in use; {@link describeDemo} then says so. */
async function openShop(own: Endpoint, publicUrl: string, logger: Logger): Promise<Shop | null> {
  const endpoint = { ...own, port: own.port + 1 };
  const url = new URL(publicUrl);
  url.port = String(endpoint.port);
  let number = 1;
  const handle: Handle = async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', url.origin);
    const { status, type, body } = shopAnswer(number, { path, origin: url.origin });
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
  const server = createServer({ handle, lifecycle: new Lifecycle(), logger });
  try {
    await server.listen(endpoint.port, endpoint.address);
  } catch (cause) {
    logger.info({ cause }, 'cannot serve the second site of the demo');
    return null;
  }
  return { origin: url.origin, endpoint, setVersion: (at) => void (number = at), close: () => server.close() };
}

export interface DemoOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly shop: Shop | null;
  /** Remarks that pages show, by the id of the site. */
  readonly siteNotes: Map<string, SiteNote>;
  readonly print: (text: string) => void;
  readonly keyFile?: string | undefined;
}

/** Sets up the demo. @returns a function that stops the runs that it makes afterwards */
export async function showDemo(app: App, deps: DemoOptions): Promise<() => void> {
  const { config, logger, shop, siteNotes, print, keyFile } = deps;
  const stop = new AbortController();
  const storedKey = keyFile === undefined ? null : await readKeyFile(keyFile);
  const demo = await prepareDemo(app, { origin: config.publicUrl, shopOrigin: shop?.origin ?? null, storedKey });
  if (keyFile !== undefined && demo.key) await writeFile(keyFile, JSON.stringify(demo.key), { mode: 0o600 });
  print(describeDemo(demo, { ...config, signInUrl: signInUrl(config, demo.signInToken) }));
  if (demo.own) siteNotes.set(demo.own.site.id, OWN_NOTE);
  if (shop && demo.shop) {
    const { id: siteId, accountId } = demo.shop;
    siteNotes.set(siteId, SHOP_NOTE);
    makeHistory({ siteId, accountId }, { ...app, setVersion: shop.setVersion, signal: stop.signal }).catch(
      (cause: unknown) => logger.warn({ cause }, 'demo runs stopped'),
    );
  }
  return () => stop.abort();
}

/** Null on the first start. */
async function readKeyFile(file: string): Promise<DemoKey | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoKey;
  } catch {
    return null;
  }
}

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseCidr);

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

function isLoopback(address: string): boolean {
  return LOOPBACK.some((range) => range?.contains(address));
}
