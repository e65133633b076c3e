import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** A passage to a server that a test can cut and open again: to its clients the server goes away and comes back. */
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
    // A server that is not there refuses who comes.
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
    /** Nothing passes any more, and nobody is told: as where a cable is cut. New connections are taken, and lead nowhere. */
    freeze() {
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
