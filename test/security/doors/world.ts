import { createServer } from 'node:http';
import { createServer as createSocketServer, isIPv6 } from 'node:net';
import { constants, networkInterfaces } from 'node:os';
import { createGuard } from '../../../src/net/guard.js';
import { createResolver } from '../../../src/net/resolver.js';
import type { Scanning } from '../../../src/package/scanning.js';
import { systemClock } from '../../../src/platform/clock.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { type DnsName, startDnsServer } from '../../support/dns-server.js';
import { startFixtureServer } from '../../support/fixture-server.js';
import { type FixtureRoute, type FixtureSite, NOT_FOUND_PAGE, resolveRoute } from '../../support/fixture-site.js';
import { listen, type Listening } from '../../support/servers.js';
import { PUBLIC_ADDRESS, PUBLIC_CIDRS } from '../../support/network-scene.js';
import type { Scope } from '../../support/service.js';
import { openServices } from '../../support/services.js';
import { Visitor } from '../../support/http-client.js';
import { webhooksOf } from '../../support/alerts.js';
import { startWholeService } from '../../support/whole-service.js';

/** Answers of a site by path; `*` is any other path. */
export type Paths = FixtureSite['routes'];

export const DOMAIN = 'fixture-site.com';

const IPV6_LOOPBACK = '::1';
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Opens a small internet on loopback: a name server, sites at the address that stands for the public one, and private listeners. */
export async function openWorld(t: Pick<Scope, 'teardown'>) {
  const sites = new Map<string, Paths>();
  const requests: string[] = [];
  const route: FixtureRoute = (request) => {
    const { pathname } = request.url;
    const host = (request.headers.host ?? '').split(':', 1)[0] ?? '';
    requests.push(`${request.method} ${host} ${pathname}`);
    const paths = sites.get(host) ?? {};
    return resolveRoute(paths[pathname] ?? paths['*'] ?? { status: 404, body: NOT_FOUND_PAGE }, request);
  };
  const site = await startFixtureServer({ routes: { '*': route } }, { address: PUBLIC_ADDRESS });
  const { port } = site;
  const privates = await listenPrivately(port);
  const names: Record<string, DnsName> = {};
  const dns = await startDnsServer(names);
  const isPrivate = new Set(['127.0.0.1', IPV6_LOOPBACK].map((address) => placeOf(address, port)));
  const reachable = new Set([...isPrivate, placeOf(PUBLIC_ADDRESS, port)]);
  const tap = await openWireTap(reachable);
  const refusals: { host: string; reason: string }[] = [];
  const scanning: Scanning = {
    guard: createGuard({
      allowCidrs: PUBLIC_CIDRS,
      allowPorts: [port],
    }),
    resolver: createResolver({ servers: [dns.address], timeoutMs: 2000 }),
    clock: systemClock,
    onRefused: ({ host }, reason) => void refusals.push({ host, reason }),
  };
  t.teardown(async () => {
    tap.close();
    await dns.close();
    await Promise.all([site, ...privates].map(({ close }) => close()));
  });
  let count = 0;
  return {
    ...{ port, names, tap, scanning, questions: dns.questions },
    refusals,
    /** Requests to the sites, such as `GET www.fixture-site.com /robots.txt`. */
    requests,
    /** Adds a site with a new name. */
    addSite(paths: (origin: string) => Paths) {
      count += 1;
      const host = `site${count}.${DOMAIN}`;
      const origin = `http://${host}:${port}`;
      names[host] = { A: [PUBLIC_ADDRESS] };
      sites.set(host, paths(origin));
      return { host, origin };
    },
    /** Lets the test connect to the program under test. */
    reach: (ownPort: number) => void reachable.add(placeOf('127.0.0.1', ownPort)),
    /** Connections since `from`, except those to the sites and to the program under test. */
    strayAttempts: (from: number) =>
      tap.attempts.slice(from).filter((place) => !reachable.has(place) || isPrivate.has(place)),
    /** Counts connections to the private network. */
    intrusions: () => privates.reduce((sum, { connectionCount }) => sum + connectionCount(), 0),
  };
}

/** Private services, to which nothing may connect. */
async function listenPrivately(port: number): Promise<Listening[]> {
  const addresses = ['127.0.0.1', IPV6_LOOPBACK].filter((address) => HAS_IPV6 || address !== IPV6_LOOPBACK);
  const serve = () =>
    createSocketServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret', () => socket.destroy()),
    );
  return Promise.all(addresses.map((address) => listen(serve(), address, port)));
}

/** Node's TCP handle, which net, tls, http and undici use. */
interface TcpHandle {
  connect(this: TcpHandle, request: object, address: string, port: number): number;
  connect6(this: TcpHandle, request: object, address: string, port: number): number;
}

const ECONNREFUSED = -constants.errno.ECONNREFUSED;

/** Records every address this process connects to. Refuses all but `reachable`, so that nothing leaves the machine. */
async function openWireTap(reachable: ReadonlySet<string>) {
  const handles = await findHandles();
  const { connect, connect6 } = handles;
  /** Such as `127.0.0.2:80` and `[::1]:80`. */
  const attempts: string[] = [];
  const isReachable = (address: string, port: number): boolean => {
    const place = placeOf(address, port);
    attempts.push(place);
    return reachable.has(place);
  };
  handles.connect = function (request, address, port) {
    return isReachable(address, port) ? connect.call(this, request, address, port) : ECONNREFUSED;
  };
  handles.connect6 = function (request, address, port) {
    return isReachable(address, port) ? connect6.call(this, request, address, port) : ECONNREFUSED;
  };
  return { attempts, close: () => void Object.assign(handles, { connect, connect6 }) };
}

function placeOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A listening server has such a handle. */
async function findHandles(): Promise<TcpHandle> {
  const server = createServer();
  const { close } = await listen(server);
  const { _handle: handle } = server as unknown as { readonly _handle: object };
  await close();
  return Object.getPrototypeOf(handle) as TcpHandle;
}

export type House = Awaited<ReturnType<typeof openHouse>>;

const forgetLimits = defineQuery<never>((sql) => sql('rate_windows').delete());

/** Starts the whole service, with the world's name server. */
export async function openHouse(t: Pick<Scope, 'teardown'>, db: Database, world: World) {
  const { scanning } = world;
  const { clock, resolver } = scanning;
  const { services, port, performJobs, addMember } = await startWholeService(t, db, () => scanning);
  world.reach(port);
  const { accountId, key, token } = await addMember();
  const lax = openServices(db, {
    ...{ clock, sitesMaxOverride: 1_000_000, vetWebhook: async () => null, resolveTxt: resolver.resolveTxt },
    openVisit: async (target) => openNetworkSession(target, scanning),
  });
  let clients = 0;
  return {
    ...{ services, port, performJobs, accountId, key },
    member: new Visitor(port, `__Host-session=${token}`),
    webhooks: webhooksOf({ db, clock, hasMail: false, vetWebhook: services.vetWebhook }),
    /** Services that accept every target. */
    lax: { ...lax, webhooks: webhooksOf(lax) },
    /** Daily limits outlive removed sites and webhooks. */
    async forgetLimits() {
      await db.run(forgetLimits({}));
    },
    /** Returns a new client address. */
    newClientAddress() {
      clients += 1;
      return `198.51.${clients >> 8}.${clients & 255}`;
    },
  };
}
