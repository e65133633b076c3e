import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Config } from '../config.js';
import { literalAddressOf, parseCidr } from '../net/address.js';
import type { Endpoint } from '../net/guard.js';
import { portOf } from '../net/url-gate.js';

const LOOPBACK = ['127.0.0.0/8', '::1'].map(parseCidr);

/** What stands for every address of the machine, with the one of loopback among them. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * The one place on loopback that the demonstration lets the scanner visit: our own origin, at the address on which we listen.
 * Null when PUBLIC_URL leads anywhere else, such as to a public host, or to another port, where a stranger may listen.
 */
export async function findOwnEndpoint({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): Promise<Endpoint | null> {
  const url = new URL(publicUrl);
  const literal = literalAddressOf(url.hostname);
  if (portOf(url) !== port || !(literal === null ? url.hostname === 'localhost' : isLoopback(literal))) return null;
  const listening = isIP(host) === 0 ? (await lookup(host)).address : host;
  const address = WILDCARDS[listening] ?? listening;
  return isLoopback(address) ? { host: literal ?? url.hostname, address, port } : null;
}

function isLoopback(address: string): boolean {
  return LOOPBACK.some((range) => range?.contains(address));
}
