import type { AddressInfo } from 'node:net';
import type { ApiServer } from '../platform/http/server.js';

interface Place {
  readonly host: string;
  readonly port: number;
  /** What sets the port, for the operator. */
  readonly variable: string;
}

/** What is wrong with a place, and what to do about it, by the system's code. */
const REMEDIES: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ port, variable }) => `port ${port} is taken: stop what listens there, or set ${variable} to another`,
  EACCES: ({ port, variable }) => `port ${port} is not for this user: set ${variable} to one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: set HOST to one that is`,
  ENOTFOUND: ({ host }) => `there is no host ${host}: set HOST to an address of this machine`,
};

/**
 * Has the server accept connections.
 * @throws Error that says what to do about a place where it cannot listen
 */
export async function listenOn(server: Pick<ApiServer, 'listen'>, place: Place): Promise<AddressInfo> {
  try {
    return await server.listen(place.port, place.host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const remedy = REMEDIES[code]?.(place);
    throw remedy === undefined ? error : new Error(remedy, { cause: error });
  }
}
