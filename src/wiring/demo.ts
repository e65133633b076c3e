import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app/app.js';
import { describeDemo, OWN_NOTE, prepareDemo, SHOP_NOTE } from '../app/demo/first-start.js';
import { makeHistory } from '../app/demo/history.js';
import { potteryAnswer } from '../app/demo/pottery.js';
import type { SiteNote } from '../app/sites/site-note.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import { createServer } from '../platform/http/server.js';
import { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { signInUrl } from './admin.js';
import { findOwnEndpoint } from './own-endpoint.js';

/** The site with faults that the demonstration serves on loopback, at the port after its own. */
export interface Shop {
  readonly origin: string;
  readonly endpoint: Endpoint;
  showAt(number: number): void;
  close(): Promise<void>;
}

/** The places on loopback that the demonstration lets the scanner visit, and no other. */
export interface DemoPlaces {
  /** Our own; null where PUBLIC_URL leads elsewhere. */
  readonly own: Endpoint | null;
  readonly shop: Shop | null;
}

export const NO_PLACES: DemoPlaces = { own: null, shop: null };

export async function openPlaces(config: Config, logger: Logger): Promise<DemoPlaces> {
  const own = await findOwnEndpoint(config);
  const places = { own, shop: own && (await openShop(own, config.publicUrl, logger)) };
  for (const endpoint of endpointsOf(places)) logger.info({ ...endpoint }, 'guard exception active: may be scanned');
  return places;
}

export function endpointsOf({ own, shop }: DemoPlaces): readonly Endpoint[] {
  return [own ?? [], shop?.endpoint ?? []].flat();
}

/** Null where the port is taken. */
async function openShop(own: Endpoint, publicUrl: string, logger: Logger): Promise<Shop | null> {
  const endpoint = { ...own, port: own.port + 1 };
  const url = new URL(publicUrl);
  url.port = String(endpoint.port);
  let number = 1;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path } = new URL(request.url ?? '/', url.origin);
    const { status, type, body } = potteryAnswer(number, { path, origin: url.origin });
    response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
    await Promise.resolve();
  };
  const server = createServer({ handle, lifecycle: new Lifecycle(), logger });
  try {
    await server.listen(endpoint.port, endpoint.address);
  } catch (cause) {
    logger.warn({ cause }, 'the second site of the demonstration cannot be served');
    return null;
  }
  return { origin: url.origin, endpoint, showAt: (at) => (number = at), close: () => server.close() };
}

export interface DemoDeps {
  readonly config: Config;
  readonly logger: Logger;
  readonly shop: Shop | null;
  /** By id of a site: what pages say of it. */
  readonly siteNotes: Map<string, SiteNote>;
  readonly print: (text: string) => void;
}

/** Shows the demonstration. @returns what breaks off the runs that it makes afterwards */
export async function showDemo(app: App, { config, logger, shop, siteNotes, print }: DemoDeps): Promise<() => void> {
  const stop = new AbortController();
  const demo = await prepareDemo(app, config.publicUrl, shop?.origin ?? null);
  print(describeDemo(demo, config.publicUrl, signInUrl(config, demo.signInToken)));
  if (demo.own) siteNotes.set(demo.own.site.id, OWN_NOTE);
  if (shop && demo.shop) {
    const { id: siteId, accountId } = demo.shop;
    siteNotes.set(siteId, SHOP_NOTE);
    const { key } = demo;
    makeHistory({ siteId, accountId }, { ...app, key, showAt: shop.showAt, signal: stop.signal }).catch(
      (cause: unknown) => logger.warn({ cause }, 'the runs of the demonstration came to an end'),
    );
  }
  return () => stop.abort();
}
