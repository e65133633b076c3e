import { isIPv6 } from 'node:net';
import { OTHER_PUBLIC_ADDRESS, PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { SSRF_VECTORS, type SsrfVector } from '../../support/ssrf-vectors.js';
import { DOMAIN, type World } from './world.js';

/** A target for a door. */
export interface Case {
  readonly label: string;
  readonly url: string;
  /** Why the guard refuses it; null if it must be connected to. */
  readonly code: string | null;
  /** The address of a public target, such as `8.8.8.8:80`. */
  readonly place: string | null;
}

/** Hosts of the allowed vectors. */
const PUBLIC_NAMES = ['example.com', 'xn--fa-hia.de', 'alice.github.io'];

/** Returns every vector: a URL as given and with the port of the private network, an address as what a name resolves to. */
export function vectorCases(world: World): Case[] {
  for (const name of PUBLIC_NAMES) world.names[name] = { A: [OTHER_PUBLIC_ADDRESS] };
  return SSRF_VECTORS.flatMap((vector, index) =>
    vector.kind === 'url' ? urlCases(vector, world) : [addressCase(vector, `address${index}`, world)],
  );
}

function urlCases({ input, code: given, why }: SsrfVector, world: World): Case[] {
  const code = given ?? null;
  const asGiven = { label: `${JSON.stringify(input)}: ${why}`, url: input, code, place: publicPlace(input, code) };
  const withPort = code === 'address_not_public' || code === 'host_not_allowed' ? insertPort(input, world.port) : null;
  if (withPort === null) return [asGiven];
  return [asGiven, { label: `${JSON.stringify(withPort)}: ${why}`, url: withPort, code, place: null }];
}

function publicPlace(input: string, code: string | null): string | null {
  if (code !== null) return null;
  return `${OTHER_PUBLIC_ADDRESS}:${new URL(input).protocol === 'https:' ? 443 : 80}`;
}

/** Adds a port to the URL; null if that changes its host. */
function insertPort(input: string, port: number): string | null {
  const [, before = '', host = '', after = ''] = /^(http:[\\/]*)([^\\/]+)(.*)$/s.exec(input) ?? [];
  const withPort = `${before}${host}:${port}${after}`;
  return URL.parse(withPort)?.hostname === new URL(input).hostname ? withPort : null;
}

function addressCase({ input, expect, why }: SsrfVector, name: string, world: World): Case {
  const host = `${name}.${DOMAIN}`;
  world.names[host] = isIPv6(input) ? { AAAA: [input] } : { A: [input] };
  const place = isIPv6(input) ? `[${input}]:${world.port}` : `${input}:${world.port}`;
  return {
    label: `a name with the address ${input}: ${why}`,
    url: `http://${host}:${world.port}/`,
    code: expect === 'allow' ? null : 'address_not_public',
    place: expect === 'allow' ? place : null,
  };
}

/** Returns a few targets for each reason, with names that resolve to private addresses. */
export function representativeCases({ port, names }: World): Case[] {
  const answers = {
    'a name of loopback': { A: ['127.0.0.1'] },
    'a name of IPv6 loopback': { AAAA: ['::1'] },
    'a public answer before a private one': { A: [PUBLIC_ADDRESS, '127.0.0.1'] },
    'a private IPv6 answer alongside a public one': { A: [PUBLIC_ADDRESS], AAAA: ['fd00::1'] },
    'a private answer behind sixteen public ones': { A: [...Array<string>(16).fill(PUBLIC_ADDRESS), '127.0.0.1'] },
    'an alias of a private name': { CNAME: `inside.${DOMAIN}`, A: ['127.0.0.1'] },
  };
  const named = Object.entries(answers).map(([label, answer], index): Case => {
    const host = `inside${index}.${DOMAIN}`;
    names[host] = answer;
    return { label, url: `http://${host}:${port}/`, code: 'address_not_public', place: null };
  });
  names['example.com'] = { A: [OTHER_PUBLIC_ADDRESS] };
  const refused: Readonly<Record<string, readonly string[]>> = {
    address_not_public: ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]'].map((host) => `http://${host}:${port}/`),
    host_not_allowed: [`http://localhost:${port}/`],
    port_not_allowed: ['http://www.fixture-shop.com:6379/'],
    credentials_not_allowed: ['http://user:secret@www.fixture-shop.com/'],
    // The second has no path to which another could be relative.
    scheme_not_allowed: ['ftp://www.fixture-shop.com/', 'data:text/html,x'],
  };
  return [
    ...named,
    ...Object.entries(refused).flatMap(([code, urls]) => urls.map((url) => ({ label: url, url, code, place: null }))),
    { label: 'a public site', url: 'http://example.com/', code: null, place: `${OTHER_PUBLIC_ADDRESS}:80` },
  ];
}

/** Returns the first target for each reason and scheme. */
export function eachReason(cases: readonly Case[]): Case[] {
  const kindOf = ({ code, url }: Case): string => `${code ?? ''} ${url.split(':', 1)[0] ?? ''}`;
  return cases.filter((target, index) => cases.findIndex((other) => kindOf(other) === kindOf(target)) === index);
}
