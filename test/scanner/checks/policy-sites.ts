import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';

export const HOME = '<!doctype html><title>Home</title><a href="/docs/a">Docs</a><a href="/blog">Blog</a>';
export const PAGE = '<!doctype html><title>Page</title><p>Text</p>';
export const SITE = { '/': HOME, '/docs/a': PAGE, '/blog': PAGE } as const;

export type Routes = FixtureSite['routes'];
/** A site, its result (with the error type of a FAIL), and what the detail says. */
export type Case = [what: string, routes: Routes, result: string, detail?: RegExp];

export async function runCases(t: Test, check: Check, cases: readonly Case[]): Promise<void> {
  for (const [what, routes, expected, detail] of cases) {
    const { result, errorType, detail: given } = await findingOf(check, { routes: { ...SITE, ...routes } });
    t.equal(errorType === null ? result : `${result} ${errorType}`, expected, what);
    if (detail) t.match(given ?? '', detail, what);
  }
}

export const robots = (...lines: string[]): Routes => ({ '/robots.txt': lines.join('\n') });
export const llms = (...paths: string[]) => ({
  '/llms.txt': `# Site\n\n${paths.map((path) => `- [x](${path})`).join('\n')}\n`,
});
export const sitemap = (...paths: string[]) => ({
  '/sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc>https://www.fixture-site.com${path}</loc></url>`)
    .join('')}</urlset>`,
});
export const withHeaders = (headers: FixtureAnswer['headers'] & object): Routes => ({ '/': { body: HOME, headers } });
/** The home page redirects to another domain, which sends these headers. */
export const elsewhere = (headers: FixtureAnswer['headers'] & object): Routes => ({
  '/': { status: 302, headers: { location: 'https://other.com/' } },
  'https://other.com/': { body: HOME, headers },
});
