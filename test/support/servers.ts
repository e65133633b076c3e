import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Test } from 'tap';

export interface Listening {
  readonly port: number;
  connectionCount(): number;
  /** Breaks every connection and refuses new ones. */
  close(): Promise<void>;
}

/** Lets a server listen on loopback, by default on a free port. */
export async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    // A broken connection is no fault of the test.
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await once(server.listen(port, address), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => connectionCount,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns a free port of loopback. @param wanted rejects if this port is taken */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

interface RawServerOptions {
  readonly address?: string;
  readonly tls?: TlsOptions;
  /** True to answer the first bytes of a connection, whatever they are. */
  readonly isEager?: true;
}

/** Starts a server for answers that no HTTP library sends: `onRequest` writes the answer after each end of header fields. */
export async function startRawServer(
  onRequest: (socket: Socket, requestNumber: number) => void,
  { address = '127.0.0.1', tls, isEager }: RawServerOptions = {},
) {
  let requestCount = 0;
  const onConnection = (socket: Socket) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += isEager ? '\r\n\r\n' : data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        received = received.slice(end + 4);
        onRequest(socket, requestCount++);
      }
    });
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  return { address, ...(await listen(server, address)) };
}

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver extends Pick<Listening, 'port' | 'connectionCount'> {
  readonly messages: ReceivedMessage[];
  /** Answers the next messages; by default with 204. */
  answer: (response: ServerResponse, message: ReceivedMessage) => void;
}

/** Starts a server that receives messages on a loopback address until the test ends. */
export async function startReceiver(
  t: Pick<Test, 'teardown'>,
  address: string,
  onMessage: (message: ReceivedMessage) => void = () => undefined,
): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  const server = createHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const message = { path: request.url ?? '', headers: request.headers, body };
      messages.push(message);
      onMessage(message);
      receiver.answer(response, message);
    });
  });
  const listening = await listen(server, address);
  t.teardown(() => listening.close());
  const receiver: Receiver = {
    ...listening,
    messages,
    answer: (response) => response.writeHead(204).end(),
  };
  return receiver;
}

export type TcpGate = Awaited<ReturnType<typeof openTcpGate>>;

export async function openTcpGate(serverUrl: string) {
  const url = new URL(serverUrl);
  const { hostname } = url;
  const target = Number(url.port);
  let thawed = Promise.resolve();
  let thaw = (): void => undefined;
  const passages = new Set<() => void>();
  const accept = (client: Socket): void => {
    const upstream = connect(target, hostname);
    // If the server is down, clients are refused.
    upstream.on('error', () => client.destroy());
    const stop = passBetween(client, upstream, () => thawed);
    passages.add(stop);
    client.once('close', () => {
      passages.delete(stop);
      upstream.destroy();
    });
  };
  let listening = await listen(createServer(accept));
  const { port } = listening;
  url.host = `127.0.0.1:${port}`;
  return {
    /** The server's URL by way of the gate. */
    url: url.href,
    /** Breaks every connection and refuses new ones. */
    cut: () => listening.close(),
    async restore() {
      listening = await listen(createServer(accept), '127.0.0.1', port);
    },
    /** Stops bytes silently, like a cut cable. New connections are accepted and lead nowhere. */
    freeze() {
      thawed = new Promise((resolve) => (thaw = resolve));
      for (const stop of passages) stop();
    },
    thaw: () => thaw(),
  };
}

/** Passes bytes while the gate is not frozen. @returns a function that stops them until it thaws */
function passBetween(client: Socket, upstream: Socket, thawed: () => Promise<void>): () => void {
  const pass = (): void => void thawed().then(() => client.pipe(upstream).pipe(client));
  pass();
  return () => {
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
    pass();
  };
}
