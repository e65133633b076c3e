import { createServer, isIPv6 } from 'node:net';
import { constants } from 'node:os';
import { listen } from '../../support/listen.js';

/** The class of the runtime's own TCP handles: whatever connects, be it net, tls, http or undici, ends here. */
interface TcpHandle {
  connect(this: TcpHandle, request: object, address: string, port: number): number;
  connect6(this: TcpHandle, request: object, address: string, port: number): number;
}

/** What the system says of a port where nobody listens, as the runtime's handles give it. */
const ECONNREFUSED = -constants.errno.ECONNREFUSED;

/**
 * Notes each address that this process connects to, at the last step before the system itself. Connections to `reachable` are
 * made; all others are refused after they were noted, so that nothing ever leaves the machine, whatever the guard does.
 */
export async function openWireTap(reachable: ReadonlySet<string>) {
  const handles = await findHandles();
  const { connect, connect6 } = handles;
  /** Such as `127.0.0.2:80` and `[::1]:80`, in their order. */
  const attempts: string[] = [];
  const isReachable = (address: string, port: number): boolean => {
    const place = placeOf(address, port);
    attempts.push(place);
    return reachable.has(place);
  };
  handles.connect = function (request, address, port) {
    return isReachable(address, port) ? connect.call(this, request, address, port) : ECONNREFUSED;
  };
  handles.connect6 = function (request, address, port) {
    return isReachable(address, port) ? connect6.call(this, request, address, port) : ECONNREFUSED;
  };
  return { attempts, close: () => void Object.assign(handles, { connect, connect6 }) };
}

export function placeOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A server has such a handle while it listens. */
async function findHandles(): Promise<TcpHandle> {
  const server = createServer();
  const { close } = await listen(server);
  const { _handle: handle } = server as unknown as { readonly _handle: object };
  await close();
  return Object.getPrototypeOf(handle) as TcpHandle;
}
