/**
 * Hostile sites for the bench: `hostile-server.ts <hosts>` serves that many kinds of those whose harm is in what they answer, each at a loopback address of
 * its own (127.0.0.1 and up) and all at one port, which it says.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { CONTENT_KINDS } from '../../security/hostile/kinds/content.js';

const [hosts = '1'] = process.argv.slice(2);
let port = 0;
for (let host = 1; host <= Number(hosts); host += 1) {
  const kind = CONTENT_KINDS[Math.floor(((host - 1) * CONTENT_KINDS.length) / Number(hosts))];
  if (!kind) throw new Error('there are no hostile kinds');
  const { origin } = await kind.start();
  // The kinds listen where they please: what comes in here is handed on to them byte by byte.
  const relay = createServer((socket) => {
    const site = connect(Number(new URL(origin).port), '127.0.0.2');
    for (const end of [socket, site]) end.on('error', () => [socket, site].forEach((one) => one.destroy()));
    socket.pipe(site).pipe(socket);
  }).listen(port, `127.0.0.${host}`);
  await once(relay, 'listening');
  ({ port } = relay.address() as AddressInfo);
}
process.stdout.write(`port ${port}\n`);
process.once('SIGTERM', () => process.exit(0));
