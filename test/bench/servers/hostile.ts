/**
 * Hostile sites: `hostile.ts <hosts>` serves that many kinds of those that do harm by what they answer, each at a loopback address of its own
 * (127.0.0.1 and up) and all at one port, which it says.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { CONTENT_KINDS } from '../../security/hostile/kinds/content.js';

const hosts = Number(process.argv[2]);
let port = 0;
for (let host = 1; host <= hosts; host += 1) {
  const kind = CONTENT_KINDS[Math.floor(((host - 1) * CONTENT_KINDS.length) / hosts)];
  if (!kind) throw new Error('there are no hostile kinds');
  const { origin } = await kind.start();
  // The kinds listen where they please: what comes in here is handed on to them byte by byte.
  const relay = createServer((socket) => {
    const site = connect(Number(new URL(origin).port), '127.0.0.2');
    for (const end of [socket, site]) end.on('error', () => [socket, site].forEach((one) => one.destroy()));
    socket.pipe(site).pipe(socket);
  });
  await once(relay.listen(port, `127.0.0.${host}`), 'listening');
  ({ port } = relay.address() as AddressInfo);
}
console.log(`port ${port}`);
