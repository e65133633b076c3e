import type { AddressInfo } from 'node:net';
import type { ApiServer } from '../platform/http/server.js';

interface Place {
  readonly host: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
  /** The command that follows the variable, if any. */
  readonly command?: string;
}

const OTHER_PORTS = [4000, 5000];

/** Messages for addresses that cannot be used, by the system's error code. */
const REMEDIES: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ port, variable, command = '' }) =>
    `port ${port} is in use. Stop what listens there, or choose another port: ` +
    `${variable}=${OTHER_PORTS.find((other) => other !== port)}${command}`,
  EACCES: ({ port, variable }) => `port ${port} needs more privileges: set ${variable} to one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: set HOST to one that is`,
  ENOTFOUND: ({ host }) => `there is no host ${host}: set HOST to an address of this machine`,
};

/**
 * Starts to listen.
 * @throws Error that says what to do if the address cannot be used
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
