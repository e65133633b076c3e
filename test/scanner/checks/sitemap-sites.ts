import { gzipSync } from 'node:zlib';
import type { FixtureAnswer, FixtureRoute } from '../../support/fixture-site.js';
import { type Routes, url } from './expect-findings.js';

export const HOME = '<html lang="en"><title>Bakery</title><h1>Bakery</h1><a href="/bread">Bread</a></html>';
export const SITE = { '/': HOME, '/bread': '<html><title>Bread</title><p>Rye and wheat.</p></html>' };
export const MAP = url('/map.xml');

/** An answer whose end its length shows. */
export const framed = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): FixtureAnswer => ({
  body,
  headers: { 'content-length': `${body.length}`, ...headers },
});

export const robots = (...values: string[]) => ({
  '/robots.txt': ['User-agent: *', 'Allow: /', ...values.map((value) => `Sitemap: ${value}`)].join('\n'),
});
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
export const urlset = (...entries: string[]) =>
  `<urlset ${NAMESPACE}>${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`;
export const loc = (address: string) => `<loc>${address.startsWith('/') ? url(address) : address}</loc>`;
/** A sitemap of pages. */
export const listing = (...addresses: string[]) => urlset(...addresses.map(loc));
export const index = (...addresses: string[]) =>
  `<sitemapindex ${NAMESPACE}>${addresses.map((address) => `<sitemap>${loc(address)}</sitemap>`).join('')}</sitemapindex>`;
export const good = listing('/', '/bread');
export const cutMap = gzipSync(good).subarray(0, -20);

/** A site whose robots.txt names this sitemap. */
export const withMap = (map: FixtureRoute, more: Routes = {}): Routes => ({ ...robots(MAP), '/map.xml': map, ...more });
