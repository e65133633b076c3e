import { gzipSync } from 'node:zlib';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { FixtureAnswer, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

export const NOW = new Date('2026-03-10T12:00:00Z');
export const HOME = '<html lang="en"><title>Bakery</title><h1>Bakery</h1><a href="/bread">Bread</a></html>';
export const MAP = `${FIXTURE_ORIGIN}/map.xml`;

export type Routes = Readonly<Record<string, FixtureRoute>>;

/** An answer whose end its length shows. */
export const framed = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): FixtureAnswer => ({
  body,
  headers: { 'content-length': `${body.length}`, ...headers },
});

export const site = (routes: Routes): FixtureSite => ({
  routes: { '/': HOME, '/bread': '<html><title>Bread</title><p>Rye and wheat.</p></html>', ...routes },
});
export const robots = (...values: string[]) => ({
  '/robots.txt': ['User-agent: *', 'Allow: /', ...values.map((value) => `Sitemap: ${value}`)].join('\n'),
});
export const urlset = (...entries: string[]) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`;
export const index = (...locs: string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;
export const loc = (url: string) => `<loc>${url.startsWith('/') ? FIXTURE_ORIGIN + url : url}</loc>`;
export const good = urlset(loc('/'), loc('/bread'));
export const cutMap = gzipSync(good).subarray(0, -20);

/** A finding's result, and its error type where it has one: `FAIL MISSING`. */
export const outcomeOf = ({ result, errorType }: Finding) => (errorType === null ? result : `${result} ${errorType}`);

export const withMap = (map: FixtureRoute, more: Routes = {}) => site({ ...robots(MAP), '/map.xml': map, ...more });
