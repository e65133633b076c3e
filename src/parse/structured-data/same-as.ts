import { getDomain } from 'tldts';
import type { SchemaValue } from '../../domain/evidence/structured-data.js';
import type { IdentityEntity } from './identity.js';

/** One sameAs value of the identity node. */
export interface SameAsValue {
  /** From 1. */
  readonly position: number;
  /** Null when it is no absolute http(s) URL. */
  readonly url: URL | null;
  /** On a host of the wall list. */
  readonly isWalled: boolean;
}

/** Registrable domains of LinkedIn, X, Instagram, Facebook and TikTok: what they answer to bots means nothing. */
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

/** Whether an address is on a host of the wall list. */
export function isWalled(url: URL): boolean {
  return WALL_LIST.has(getDomain(url.hostname) ?? '');
}

/** The sameAs values of the first identity node that has any. */
export function readSameAs(identities: readonly IdentityEntity[]): SameAsValue[] {
  const lists = identities.map(({ entity }) => (entity.properties.get('sameAs') ?? []).flatMap(linkOf));
  return (lists.find(({ length }) => length > 0) ?? []).map((link, index) => {
    const url = /^https?:\/\//i.test(link) && URL.canParse(link) ? new URL(link) : null;
    return { position: index + 1, url, isWalled: url !== null && isWalled(url) };
  });
}

/** The link that a value gives: a node's `@id`, or its url. A node that has neither is no link at all. */
function linkOf(value: SchemaValue): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).trim()];
  if (typeof value === 'boolean') return [];
  if (value.id !== null) return [value.id];
  const urls = value.properties.find(({ name }) => name === 'url')?.values ?? [];
  return urls.filter((url) => typeof url === 'string');
}
