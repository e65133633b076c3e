import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface Listening {
  readonly port: number;
  /** Connections accepted so far. */
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
