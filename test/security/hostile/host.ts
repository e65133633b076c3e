import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { DnsName } from '../../support/dns-server.js';
import { startDnsServer } from '../../support/dns-server.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import type { HostileHost } from './kind.js';

/** One request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How many came before it on this connection. */
  readonly index: number;
}

/** What a server does with one request; the connection's end is its own affair. */
export type Behave = (socket: Socket, request: WireRequest) => void;

export interface HostOptions {
  /** By default one of its own, so that scans of several hosts do not share a host's limits. */
  readonly hostname?: string;
  /** Speaks TLS. */
  readonly tls?: TlsOptions;
  /** What stands in the address; by default https where it speaks TLS. */
  readonly scheme?: 'http' | 'https';
  /** Told of each connection before anything was read from it. */
  readonly onConnection?: (socket: Socket) => void;
  /** Goes on after the other side has said that it sends no more. */
  readonly isHalfOpen?: true;
  /** Names alongside the host's own. */
  readonly names?: Readonly<Record<string, DnsName>>;
  /** A name server instead of the usual one. */
  readonly startDns?: (hostname: string) => Promise<{ readonly address: string; close(): Promise<void> }>;
  readonly ca?: string;
}

let hostsStarted = 0;

/** A host of the stand-in for the public internet that answers each request as `behave` does. */
export async function startHost(behave: Behave | null, options: HostOptions = {}): Promise<HostileHost> {
  const hostname = options.hostname ?? `h${(hostsStarted += 1)}.hostile-site.com`;
  const sockets = new Set<Socket>();
  const onSocket = (socket: Socket): void => {
    socket.on('error', ignore);
    if (behave) readRequests(socket, behave);
  };
  const server = options.tls
    ? createTlsServer(options.tls, onSocket)
    : createServer({ allowHalfOpen: options.isHalfOpen ?? false }, onSocket);
  server.on('tlsClientError', ignore);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', ignore).on('close', () => sockets.delete(socket)));
    options.onConnection?.(socket);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, PUBLIC_ADDRESS, resolve));
  const { port } = server.address() as AddressInfo;
  const dns = options.startDns
    ? await options.startDns(hostname)
    : await startDnsServer({ [hostname]: { A: [PUBLIC_ADDRESS] }, ...options.names });
  return {
    origin: `${options.scheme ?? (options.tls ? 'https' : 'http')}://${hostname}:${port}`,
    ports: [port],
    dns: dns.address,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([new Promise((resolve) => server.close(resolve)), dns.close()]);
    },
  };
}

function ignore(): void {
  // Whoever is scanned sees every kind of broken connection.
}

/** Calls back for each request of a connection, once it is whole. */
function readRequests(socket: Socket, onRequest: Behave): void {
  let received = '';
  let index = 0;
  socket.on('data', (data) => {
    received += data.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const { bodyLength, ...head } = readHead(received.slice(0, end));
      if (received.length < end + 4 + bodyLength) return;
      const body = received.slice(end + 4, end + 4 + bodyLength);
      received = received.slice(end + 4 + bodyLength);
      onRequest(socket, { ...head, body, index: index++ });
    }
  });
}

function readHead(head: string): Omit<WireRequest, 'body' | 'index'> & { bodyLength: number } {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = requestLine.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { method, path, headers, bodyLength: Number(headers['content-length'] ?? 0) };
}
