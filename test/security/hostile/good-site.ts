import { page, urlset } from '../../fixtures/sites/parts.js';
import type { FixtureRequest, FixtureRoute } from '../../support/fixture-site.js';

const LEAVES = Array.from({ length: 40 }, (_, index) => `/page-${index}`);

/**
 * A site in order that leads a scan everywhere it would ever go: pages, llms.txt with many links, a sitemap with many entries,
 * sameAs links, and answers in Markdown.
 */
export const GOOD_ROUTES: Readonly<Record<string, FixtureRoute>> = {
  '/': ({ url }) => homePage(url.origin),
  '/robots.txt': ({ url }) => `User-agent: *\nAllow: /\n\nSitemap: ${url.origin}/sitemap.xml\n`,
  '/sitemap.xml': ({ url }) => urlset(LEAVES.map((path) => [url.origin + path, '2026-01-01'])),
  '/llms.txt': ({ url }) =>
    `# Good site\n\n> A site in order.\n\n## Pages\n\n${LEAVES.map((path) => `- [Page](${url.origin}${path}): text\n`).join('')}`,
  ...Object.fromEntries(LEAVES.map((path) => [path, leafPage])),
};

/** The paths that name all the others. */
export const GOOD_GUIDES: readonly string[] = ['/', '/robots.txt', '/sitemap.xml', '/llms.txt'];

function homePage(origin: string): string {
  const links = LEAVES.map((path) => `<a href="${path}">Page</a>`).join('\n');
  const sameAs = LEAVES.slice(0, 5).map((path) => `${origin}${path}?same`);
  return page({
    title: 'Good site',
    body: `<h1>Good site</h1>\n${links}`,
    jsonLd: [{ '@context': 'https://schema.org', '@type': 'Organization', name: 'Good site', url: origin, sameAs }],
  });
}

function leafPage({ url }: FixtureRequest): string {
  return page({
    title: `Page ${url.pathname}`,
    body: `<h1>Page ${url.pathname}</h1><p>Some text.</p><a href="/">Home</a>`,
  });
}
