import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Returns a port of loopback that is free now. @param wanted rejects if this one is taken; 0 for any */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
