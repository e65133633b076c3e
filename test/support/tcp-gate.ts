import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A passage to a server that a test can cut and open again: to its clients the server goes away and comes back. */
export interface TcpGate {
  /** The server's URL by way of the gate. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Nothing passes any more, and nobody is told: as where a cable is cut. New connections are taken, and lead nowhere. */
  freeze(): void;
  thaw(): void;
}

export async function openTcpGate(serverUrl: string): Promise<TcpGate> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  let thawed = Promise.resolve();
  let thaw = (): void => undefined;
  const passages = new Set<() => void>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    // A server that is not there refuses who comes.
    upstream.once('error', () => client.destroy());
    const stop = passBetween(keep(client), keep(upstream), () => thawed);
    passages.add(stop);
    client.once('close', () => passages.delete(stop));
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
    freeze: () => {
      thawed = new Promise((resolve) => (thaw = resolve));
      for (const stop of passages) stop();
    },
    thaw: () => thaw(),
  };
}

/** Lets bytes pass while the gate is thawed. What comes back has them stop until it is so again. */
function passBetween(client: Socket, upstream: Socket, thawed: () => Promise<void>): () => void {
  const pass = (): void => void thawed().then(() => client.pipe(upstream).pipe(client));
  pass();
  return () => {
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
    pass();
  };
}
