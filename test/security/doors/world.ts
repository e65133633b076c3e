import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, isIPv6 } from 'node:net';
import { constants, networkInterfaces } from 'node:os';
import { parseCidr } from '../../../src/net/address.js';
import { createGuard } from '../../../src/net/guard.js';
import { createResolver } from '../../../src/net/resolver.js';
import type { Scanning } from '../../../src/package/scanning.js';
import { systemClock } from '../../../src/platform/clock.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { type DnsName, startDnsServer } from '../../support/dns-server.js';
import { readRequest } from '../../support/fixture-server.js';
import { answerOf, type FixtureSite } from '../../support/fixture-site.js';
import { listen, type Listening } from '../../support/servers.js';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import type { Scope } from '../../support/service.js';
import { openServices } from '../../support/services.js';
import { Visitor } from '../../support/web.js';
import { webhooksOf } from '../../support/alerts.js';
import { startWholeService } from '../../support/whole-service.js';

/** Answers of a site by path; `*` is any other path. */
export type Paths = FixtureSite['routes'];

/** The registrable domain of every site of the world. */
export const DOMAIN = 'fixture-site.com';

const IPV6_LOOPBACK = '::1';
const HAS_IPV6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Opens a small internet on loopback: a name server, a server for sites at the address that stands for the public one, and listeners at
 * the same port of the addresses that stand for a private network. What the guard and the scanner do in it is all real.
 */
export async function openWorld(t: Pick<Scope, 'teardown'>) {
  const sites = new Map<string, Paths>();
  const requests: string[] = [];
  const site = await listenPublicly(sites, requests);
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
      allowCidrs: [PUBLIC_ADDRESS, OTHER_PUBLIC_ADDRESS].flatMap((address) => parseCidr(address) ?? []),
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
    /** Every refusal of the guard, for the log alone, under the host that it was about. */
    refusals,
    /** The requests that the sites were asked, such as `GET www.fixture-site.com /robots.txt`. */
    requests,
    /** A new name of its own for the public address; `paths` are what the site there answers. */
    addSite(paths: (origin: string) => Paths) {
      count += 1;
      const host = `site${count}.${DOMAIN}`;
      const origin = `http://${host}:${port}`;
      names[host] = { A: [PUBLIC_ADDRESS] };
      sites.set(host, paths(origin));
      return { host, origin };
    },
    /** Lets the test itself connect to a server of the program under test. */
    reach: (ownPort: number) => void reachable.add(placeOf('127.0.0.1', ownPort)),
    /** The connections since `from` that led neither to the sites of this world nor to the program under test. */
    strayAttempts: (from: number) =>
      tap.attempts.slice(from).filter((place) => !reachable.has(place) || isPrivate.has(place)),
    /** Connections that came to the private network. */
    intrusions: () => privates.reduce((sum, { connectionCount }) => sum + connectionCount(), 0),
  };
}

function listenPublicly(sites: ReadonlyMap<string, Paths>, requests: string[]): Promise<Listening> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const host = (request.headers.host ?? '').split(':', 1)[0] ?? '';
    const origin = `http://${host}`;
    const asked = await readRequest(request, origin);
    requests.push(`${asked.method} ${host} ${asked.url.pathname}`);
    const answer = await answerOf({ origin, routes: sites.get(host) ?? {} }, asked);
    // Header fields are bytes: what is not ASCII goes out as UTF-8.
    const fields = answer.headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')]);
    response.writeHead(answer.status, fields).end(answer.body);
  };
  return listen(
    createServer((request, response) => void respond(request, response)),
    PUBLIC_ADDRESS,
  );
}

/** Services of a private network: nothing may ever connect to them. A machine may have no address of IPv6. */
async function listenPrivately(port: number): Promise<Listening[]> {
  const addresses = ['127.0.0.1', IPV6_LOOPBACK].filter((address) => HAS_IPV6 || address !== IPV6_LOOPBACK);
  const serve = () =>
    createSocketServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret', () => socket.destroy()),
    );
  return Promise.all(addresses.map((address) => listen(serve(), address, port)));
}

/** The class of the runtime's own TCP handles: whatever connects, be it net, tls, http or undici, ends here. */
interface TcpHandle {
  connect(this: TcpHandle, request: object, address: string, port: number): number;
  connect6(this: TcpHandle, request: object, address: string, port: number): number;
}

/** What the system says of a port where nobody listens, as the runtime's handles give it. */
const ECONNREFUSED = -constants.errno.ECONNREFUSED;

/**
 * Notes each address that this process connects to, at the last step before the system itself. Connections to `reachable` are
 * made; all others are refused after they were noted, so that nothing ever leaves the machine, whatever the guard does.
 */
async function openWireTap(reachable: ReadonlySet<string>) {
  const handles = await findHandles();
  const { connect, connect6 } = handles;
  /** Such as `127.0.0.2:80` and `[::1]:80`, in their order. */
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

/** A server has such a handle while it listens. */
async function findHandles(): Promise<TcpHandle> {
  const server = createServer();
  const { close } = await listen(server);
  const { _handle: handle } = server as unknown as { readonly _handle: object };
  await close();
  return Object.getPrototypeOf(handle) as TcpHandle;
}

export type House = Awaited<ReturnType<typeof openHouse>>;

const forgetLimits = defineQuery<never>((sql) => sql('rate_windows').delete());

/** The whole service as it is wired, but for the name server that it asks. */
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
    /** A browser in which the account's holder is signed in. */
    member: new Visitor(port, `__Host-session=${token}`),
    webhooks: webhooksOf({ db, clock, hasMail: false, vetWebhook: services.vetWebhook }),
    /** Services that let every target in: as it was stored before its name began to lead elsewhere. */
    lax: { ...lax, webhooks: webhooksOf(lax) },
    /** Used runs outlive a site, and used tests a webhook; most targets are hosts of a few names. */
    async forgetLimits() {
      await db.run(forgetLimits({}));
    },
    /** The address of a client that never came before, as a proxy in front names it. */
    newClientAddress() {
      clients += 1;
      return `198.51.${clients >> 8}.${clients & 255}`;
    },
  };
}
