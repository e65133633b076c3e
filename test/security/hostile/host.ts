import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { startDnsServer } from '../../support/dns-server.js';
import { listen } from '../../support/listen.js';
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
  /** The ports that a scan may reach. */
  readonly ports: readonly number[];
  /** Its name server, such as `127.0.0.1:43212`. */
  readonly dns: string;
  /** The authority of its certificate, in PEM. */
  readonly ca?: string;
}

export interface HostileHost extends HostilePlace {
  close(): Promise<void>;
}

/** One request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers one request, or not. */
export type Behave = (socket: Socket, request: WireRequest) => unknown;

export interface HostOptions {
  /** By default a new one, so that scans of several hosts do not share a host's limits. */
  readonly hostname?: string;
  /** Speaks TLS. */
  readonly tls?: TlsOptions;
  /** The scheme of its address; by default https if it speaks TLS. */
  readonly scheme?: 'http' | 'https';
  /** Called with each connection before anything was read from it. */
  readonly onConnection?: (socket: Socket) => unknown;
  /** Goes on after the client has ended its side. */
  readonly isHalfOpen?: boolean;
  /** A name server instead of the usual one. */
  readonly startDns?: (hostname: string) => Promise<{ readonly address: string; close(): Promise<void> }>;
  readonly ca?: string;
}

let hostsStarted = 0;

/** Starts a host at the address that stands for the public internet. */
export async function startHost(behave: Behave | null, options: HostOptions = {}): Promise<HostileHost> {
  const { hostname = `h${(hostsStarted += 1)}.hostile-site.com`, tls, ca, onConnection = () => undefined } = options;
  const { startDns = (name) => startDnsServer({ [name]: { A: [PUBLIC_ADDRESS] } }) } = options;
  const onSocket = (socket: Socket): void => {
    socket.on('error', () => undefined);
    if (behave) readRequests(socket, behave);
  };
  const server = tls
    ? createTlsServer(tls, onSocket)
    : createServer({ allowHalfOpen: options.isHalfOpen ?? false }, onSocket);
  server.on('tlsClientError', () => undefined).on('connection', onConnection);
  const { port, close } = await listen(server, PUBLIC_ADDRESS);
  const dns = await startDns(hostname);
  return {
    origin: `${options.scheme ?? (tls ? 'https' : 'http')}://${hostname}:${port}`,
    ports: [port],
    dns: dns.address,
    ...(ca !== undefined && { ca }),
    close: async () => void (await Promise.all([close(), dns.close()])),
  };
}

/** Calls back for each request of a connection, once it is whole. */
function readRequests(socket: Socket, onRequest: Behave): void {
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const { bodyLength, ...head } = readHead(received.slice(0, end));
      if (received.length < end + 4 + bodyLength) return;
      const body = received.slice(end + 4, end + 4 + bodyLength);
      received = received.slice(end + 4 + bodyLength);
      onRequest(socket, { ...head, body });
    }
  });
}

function readHead(head: string): Omit<WireRequest, 'body'> & { bodyLength: number } {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { method, path, headers, bodyLength: Number(headers['content-length'] ?? 0) };
}
