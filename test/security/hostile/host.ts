import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { page, urlset } from '../../fixtures/sites/parts.js';
import { startDnsServer } from '../../support/dns-server.js';
import { answerOf, type FixtureRequest, type FixtureRoute } from '../../support/fixture-site.js';
import { listen } from '../../support/servers.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';

/** One kind of hostile site: a real server on loopback sockets. */
export interface HostileKind {
  /** Unique: the family, then what it does, such as `drips a body`. */
  readonly name: string;
  readonly yields: Yields;
  /** Starts the site with a name server. Large bodies are made here, not when the kind is listed. */
  readonly start: () => Promise<HostileHost>;
}

/** What a run yields besides one finding per check, under any deadline: `nothing` if every finding is UNDETERMINED. */
export type Yields = 'nothing' | 'robots.txt' | 'anything';

/** Where a hostile site is, as plain data for a scanner in another process. */
export interface HostilePlace {
  /** Such as `http://h1.hostile-site.com:43211`. */
  readonly origin: string;
  readonly port: number;
  /** Its name server, such as `127.0.0.1:43212`. */
  readonly dns: string;
  /** The authority of its certificate, in PEM. */
  readonly ca?: string | undefined;
}

export interface HostileHost extends HostilePlace {
  close(): Promise<void>;
}

interface WireRequest extends Omit<FixtureRequest, 'url'> {
  /** With its query. */
  readonly path: string;
}

/** Answers one request, or not. */
export type Behave = (socket: Socket, request: WireRequest) => unknown;

export interface HostOptions {
  /** By default a new one, so that scans of several hosts do not share a host's limits. */
  readonly hostname?: string;
  readonly tls?: TlsOptions;
  readonly scheme?: 'http' | 'https';
  /** Called with each connection before anything was read from it. */
  readonly onConnection?: (socket: Socket) => unknown;
  /** Goes on after the client has ended its side. */
  readonly isHalfOpen?: boolean;
  readonly startDns?: (hostname: string) => Promise<{ readonly address: string; close(): Promise<void> }>;
  readonly ca?: string;
}

let hostsStarted = 0;

export async function startHost(behave: Behave | null, options: HostOptions = {}): Promise<HostileHost> {
  const { hostname = `h${(hostsStarted += 1)}.hostile-site.com`, tls, ca, onConnection = () => undefined } = options;
  const { scheme = tls ? 'https' : 'http', isHalfOpen: allowHalfOpen = false } = options;
  const { startDns = (name) => startDnsServer({ [name]: { A: [PUBLIC_ADDRESS] } }) } = options;
  const onSocket = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (behave) readRequests(socket, behave);
  };
  const server = tls ? createTlsServer(tls, onSocket) : createServer({ allowHalfOpen }, onSocket);
  server.on('tlsClientError', () => undefined).on('connection', onConnection);
  const { port, close } = await listen(server, PUBLIC_ADDRESS);
  const dns = await startDns(hostname);
  return {
    ...{ origin: `${scheme}://${hostname}:${port}`, port, dns: dns.address, ca },
    close: async () => void (await Promise.all([close(), dns.close()])),
  };
}

/** Calls back for each complete request of a connection. */
function readRequests(socket: Socket, onRequest: Behave): void {
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const [requestLine = '', ...lines] = received.slice(0, end).split('\r\n');
      const fields = lines.map((line) => /^(.*?): *(.*)$/.exec(line) ?? []);
      const headers = Object.fromEntries(fields.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
      const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
      if (received.length < bodyEnd) return;
      const [method = '', path = ''] = requestLine.split(' ');
      onRequest(socket, { method, path, headers, body: received.slice(end + 4, bodyEnd) });
      received = received.slice(bodyEnd);
    }
  });
}

/** Answers by path, as in the fixture sites; `*` is any other path. */
export type Routes = Readonly<Record<string, FixtureRoute>>;

const LEAVES = Array.from({ length: 40 }, (_, index) => `/page-${index}`);

/** The paths that name all the others. */
const GOOD_GUIDES: Routes = {
  '/': ({ url: { origin: url } }) => {
    const sameAs = LEAVES.slice(0, 5).map((path) => `${url}${path}?same`);
    return page({
      title: 'Good site',
      body: `<h1>Good site</h1>\n${LEAVES.map((path) => `<a href="${path}">Page</a>`).join('\n')}`,
      jsonLd: [{ '@context': 'https://schema.org', '@type': 'Organization', name: 'Good site', url, sameAs }],
    });
  },
  '/robots.txt': ({ url }) => `User-agent: *\nAllow: /\n\nSitemap: ${url.origin}/sitemap.xml\n`,
  '/sitemap.xml': ({ url }) => urlset(LEAVES.map((path) => [url.origin + path, '2026-01-01'])),
  '/llms.txt': ({ url }) => {
    const links = LEAVES.map((path) => `- [Page](${url.origin}${path}): text\n`);
    return `# Good site\n\n> A site in order.\n\n## Pages\n\n${links.join('')}`;
  },
};

const leafPage: FixtureRoute = ({ url: { pathname } }) =>
  page({ title: pathname, body: `<h1>${pathname}</h1><p>Some text.</p><a href="/">Home</a>` });

/** A correct site with as many links as a scan follows. */
const GOOD_ROUTES: Routes = { ...GOOD_GUIDES, ...Object.fromEntries(LEAVES.map((path) => [path, leafPage])) };

function answering(routes: Routes): Behave {
  return async (socket, { path, ...request }) => {
    const origin = `http://${request.headers.host ?? 'nowhere.hostile-site.com'}`;
    const { status, headers, body } = await answerOf({ origin, routes }, { url: new URL(path, origin), ...request });
    const lines = headers.map(([field, value]) => `${field}: ${value}\r\n`).join('');
    socket.write(`HTTP/1.1 ${status} Answer\r\n${lines}content-length: ${body.length}\r\n\r\n`, 'latin1');
    socket.write(body);
  };
}

export const answerWell = answering(GOOD_ROUTES);

/** A good site except for these paths. */
export function siteKind(name: string, routes: () => Routes): HostileKind {
  return { name, yields: 'anything', start: () => startHost(answering({ ...GOOD_ROUTES, ...routes() })) };
}

const BEHIND = '(behind good files)';

/** Two sites for each way to answer: one answers so on every path, the other on all but the paths that link to the rest. */
export function wireKinds(yields: Yields, ways: Readonly<Record<string, Behave>>): HostileKind[] {
  return Object.entries(ways).flatMap(([name, behave]): HostileKind[] => {
    const behind: Behave = (socket, request) =>
      (request.path in GOOD_GUIDES && request.method === 'GET' ? answerWell : behave)(socket, request);
    return [
      { name, yields, start: () => startHost(behave) },
      { name: `${name} ${BEHIND}`, yields: 'robots.txt', start: () => startHost(behind) },
    ];
  });
}

/** Returns the name that the two sites of a kind share. */
export function familyName(name: string): string {
  return name.replace(` ${BEHIND}`, '');
}

type Talk = (socket: Socket) => void;

/** Sends these bytes, or this text in Latin-1. @param then what happens to the connection afterwards */
export function say(text: string | Uint8Array, then: 'stay' | 'close' | 'reset' = 'stay'): Talk {
  return (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text, () => {
      if (then === 'close') socket.end();
      // A reset discards what has not left yet.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 5);
    });
  };
}

/** Sends the start, then one piece every 20 ms until the connection ends. */
export function dripAfter(start: string | Uint8Array, piece: string): Talk {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Sends the start, then the piece as fast as the client reads, until the connection ends. */
export function floodAfter(start: string | Uint8Array, piece: string | Uint8Array): Talk {
  const chunk = Buffer.from(piece as string, 'latin1');
  const large = Buffer.concat(Array<Buffer>(Math.ceil(65_536 / chunk.length)).fill(chunk));
  return (socket) => {
    socket.write(start);
    pour(socket, large);
  };
}

function pour(socket: Socket, piece: Uint8Array): void {
  let isTaken = true;
  for (let count = 0; isTaken && count < 16 && !socket.destroyed; count += 1) isTaken = socket.write(piece);
  if (socket.destroyed) return;
  if (isTaken) setImmediate(pour, socket, piece);
  else socket.once('drain', () => pour(socket, piece));
}

/** The start of a head; more header fields may follow. */
export const OK_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

/** A complete answer with the right length. */
export function answer(body: string | Uint8Array, fields = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as string, 'latin1');
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\n${fields}content-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
