import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { urlset } from '../../fixtures/sites/parts.js';
import type { FixtureAnswer } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { type Expected, expectFindings, type Routes, url } from './expect-findings.js';

export const HOME = '<!doctype html><title>Home</title><a href="/docs/a">Docs</a><a href="/blog">Blog</a>';
export const PAGE = '<!doctype html><title>Page</title><p>Text</p>';
export const SITE = { '/': HOME, '/docs/a': PAGE, '/blog': PAGE } as const;

/** Judges sites with two pages, and with what each says. */
export const expectOn = (t: Test, check: Check, expected: Expected) => expectFindings(t, check, SITE, expected);

export const robots = (...lines: string[]): Routes => ({ '/robots.txt': lines.join('\n') });
export const llms = (...paths: string[]) => ({
  '/llms.txt': `# Site\n\n${paths.map((path) => `- [x](${path})`).join('\n')}\n`,
});
export const sitemap = (...paths: string[]) => ({
  '/sitemap.xml': urlset(paths.map((path) => [url(path)])),
});
export const withHeaders = (headers: FixtureAnswer['headers'] & object): Routes => ({ '/': { body: HOME, headers } });
/** The home page redirects to another domain, which sends these headers. */
export const elsewhere = (headers: FixtureAnswer['headers'] & object): Routes => ({
  '/': redirectTo('https://other.com/'),
  'https://other.com/': { body: HOME, headers },
});
