import type { AddressInfo } from 'node:net';
import type { ApiServer } from '../http/server.js';

/**
 * Has the server accept connections.
 * @param variable the one that sets the port, for the operator
 * @throws Error that says what to do about a port that is taken
 */
export async function listenOn(
  server: ApiServer,
  { host, port, variable }: { readonly host: string; readonly port: number; readonly variable: string },
): Promise<AddressInfo> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new Error(`port ${port} is taken: stop what listens there, or set ${variable} to another`, { cause: error });
  }
}
