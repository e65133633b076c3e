import { getDomain } from 'tldts';
import type { SchemaValue } from '../../artifacts/structured-data.js';
import { JSON_LD_LIMITS } from '../../limits.js';
import type { IdentityEntity } from './identity.js';

/** One sameAs value of the identity node. */
export interface SameAsValue {
  /** From 1. */
  readonly position: number;
  /** Null if it is not an absolute http(s) URL. */
  readonly url: URL | null;
  /** On a host of the wall list. */
  readonly isWalled: boolean;
}

/** Registrable domains of LinkedIn, X, Instagram, Facebook and TikTok: their answers to bots are meaningless. */
const WALL_LIST = new Set([
  'linkedin.com',
  'lnkd.in',
  'x.com',
  'twitter.com',
  'instagram.com',
  'instagr.am',
  'facebook.com',
  'fb.com',
  'fb.me',
  'tiktok.com',
]);

/** True if an address is on a host of the wall list. */
export function isWalled(url: URL): boolean {
  return WALL_LIST.has(getDomain(url.hostname) ?? '');
}

/** The sameAs values of the first identity node that has any. */
export function readSameAs(identities: readonly IdentityEntity[]): SameAsValue[] {
  const lists = identities.map(({ entity }) => (entity.properties.get('sameAs') ?? []).flatMap(linkOf));
  const links = lists.find((list) => list.length > 0) ?? [];
  return links.slice(0, JSON_LD_LIMITS.sameAsMax).map((link, index) => {
    const url = /^https?:\/\//i.test(link) ? URL.parse(link) : null;
    return { position: index + 1, url, isWalled: url !== null && isWalled(url) };
  });
}

/** The link in a value: a node's `@id`, or its url. A node without either is not a link. */
function linkOf(value: SchemaValue): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).trim()];
  if (typeof value === 'boolean') return [];
  if (value.id !== null) return [value.id];
  const urls = value.properties.find(({ name }) => name === 'url')?.values ?? [];
  return urls.filter((url) => typeof url === 'string');
}
