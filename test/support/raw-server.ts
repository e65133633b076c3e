import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface RawServer {
  readonly address: string;
  readonly port: number;
  readonly connectionCount: () => number;
  close(): Promise<void>;
}

const ignore = () => undefined;

/**
 * A server that says exactly what `onRequest` writes, once a connection has sent the end of its header fields: for answers
 * that no HTTP library would send. Give a certificate to speak TLS.
 */
export async function startRawServer(
  onRequest: (socket: Socket, requestNumber: number) => void,
  options: {
    readonly address?: string;
    readonly tls?: TlsOptions;
    /** Answers the first bytes of a connection, whatever they are. */
    readonly isEager?: true;
  } = {},
): Promise<RawServer> {
  const { address = '127.0.0.1' } = options;
  const sockets = new Set<Socket>();
  let connectionCount = 0;
  let requestCount = 0;
  const onConnection = (socket: Socket) => {
    let received = '';
    socket.on('error', ignore);
    socket.on('data', (data) => {
      received += options.isEager ? '\r\n\r\n' : data.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        received = received.slice(end + 4);
        onRequest(socket, requestCount++);
      }
    });
  };
  const server = options.tls ? createTlsServer(options.tls, onConnection) : createServer(onConnection);
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    sockets.add(socket.on('error', ignore).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve));
  return {
    address,
    port: (server.address() as AddressInfo).port,
    connectionCount: () => connectionCount,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
