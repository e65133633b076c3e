import { ALL_KINDS, GOOD_KIND } from './kinds.js';
import type { HostileHost, HostilePlace } from './kind.js';

/** What the process that scans asks of the one that serves. */
export type HostRequest = { readonly id: number } & ({ readonly start: string } | { readonly stop: number });

/** Its answer: where the kind is, once it has started. */
export interface HostReply {
  readonly id: number;
  readonly place?: HostilePlace;
}

/** Serves kinds for a scanner in another process, so that their work is none of the scanner's. */
const hosts = new Map<number, HostileHost>();

async function reply(request: HostRequest): Promise<HostReply> {
  const { id } = request;
  if ('start' in request) {
    const host = await [...ALL_KINDS, GOOD_KIND].find(({ name }) => name === request.start)?.start();
    if (!host) throw new Error(`there is no kind ${request.start}`);
    hosts.set(id, host);
    const { origin, ports, dns, ca } = host;
    return { id, place: { origin, ports, dns, ...(ca !== undefined && { ca }) } };
  }
  const host = hosts.get(request.stop);
  hosts.delete(request.stop);
  await host?.close();
  return { id };
}

process.on('message', (request: HostRequest) => {
  void reply(request).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
