import type { Transport } from '../../src/net/transport.js';

/** Stands for any public address. */
export const SOME_ADDRESS = '93.184.215.14';

/** Answers as the other transport does, each host at its address. */
export function addressed(transport: Transport, addresses: Readonly<Record<string, string>> = {}): Transport {
  return {
    exchange: (request) => transport.exchange(request),
    addressOf: async ({ hostname }) => addresses[hostname] ?? SOME_ADDRESS,
    close: () => transport.close(),
  };
}
