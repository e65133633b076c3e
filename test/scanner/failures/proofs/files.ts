import type { FixtureAnswer } from '../../../support/fixture-site.js';
import { FAILING, home, PAGE, type Proof, type Proofs, type Routes } from './proof.js';

const LLMS_PAGES: Routes = { '/delivery': PAGE, '/returns': PAGE };
const SITEMAP_NAMED: Routes = { '/robots.txt': 'Sitemap: https://www.fixture-site.com/sitemap.xml' };

const urlset = (entries: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;

const SITEMAP = urlset('<url><loc>https://www.fixture-site.com/</loc></url>');

/** A file that fails to answer, and is served as its fix says. */
const unserved = (path: string, answer: FixtureAnswer, body: string, beside: Routes = {}): Proof => ({
  failing: { [path]: answer, ...beside },
  mended: ({ served }) => served(body),
});

export const LLMS_01: Proofs = {
  MISSING: {
    failing: LLMS_PAGES,
    mended: ({ served, snippet }) => ({
      'at the root': served(snippet('# Example Shop')),
      announced: {
        '/': home(snippet('<link').replace('/llms.txt', '/docs/llms.txt')),
        '/docs/llms.txt': { type: 'text/plain', body: snippet('# Example Shop') },
      },
    }),
  },
  WRONG_MIME: unserved('/llms.txt', FAILING.html, '# Example Shop'),
  BLOCKED: unserved('/llms.txt', FAILING.refused, '# Example Shop'),
  UNREACHABLE: unserved('/llms.txt', FAILING.broken, '# Example Shop'),
  TIMEOUT: unserved('/llms.txt', FAILING.stalled, '# Example Shop'),
};

export const LLMS_02: Proofs = {
  FORMAT: {
    failing: { '/llms.txt': 'Example Shop\n\nLamps.' },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
  STRUCTURE: {
    failing: { '/llms.txt': '## Help\n\n# Example Shop' },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
};

export const LLMS_03: Proofs = {
  DEAD_LINK: {
    failing: { '/llms.txt': '# Shop\n\n- [Pricing](/old-pricing)', '/pricing': PAGE },
    mended: ({ snippet, nginx }) => ({
      'the link': { '/llms.txt': `# Shop\n\n${snippet('- [Pricing]')}` },
      'a redirect': redirected(nginx),
    }),
  },
};

/** What a server that follows an nginx block with a redirect sends. */
function redirected(nginx: string): Routes {
  const [, from = '', status, location = ''] = /location = (\S+) { return (\d+) (\S+); }/.exec(nginx) ?? [];
  return { [from]: { status: Number(status), headers: { location } } };
}

export const LLMS_04: Proofs = {
  OVERSIZE: {
    failing: { '/llms.txt': `# Shop\n\n${'x'.repeat(100_000)}` },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
};

export const SITE_01: Proofs = {
  BLOCKED: unserved('/sitemap.xml', FAILING.refused, SITEMAP, SITEMAP_NAMED),
  UNREACHABLE: unserved('/sitemap.xml', FAILING.broken, SITEMAP, SITEMAP_NAMED),
  TIMEOUT: unserved('/sitemap.xml', FAILING.stalled, SITEMAP, SITEMAP_NAMED),
  MISSING: {
    failing: {},
    mended: ({ snippet }) => ({
      'at its usual place': { '/robots.txt': snippet('Sitemap:'), '/sitemap.xml': snippet('<?xml') },
      'by WordPress': {
        '/robots.txt': snippet('Sitemap: https://www.fixture-site.com/wp-sitemap.xml'),
        '/wp-sitemap.xml': snippet('<?xml'),
      },
    }),
  },
  WRONG_MIME: unserved('/sitemap.xml', FAILING.html, SITEMAP, SITEMAP_NAMED),
  FORMAT: {
    failing: { '/sitemap.xml': '<urlset><url>' },
    mended: ({ snippet }) => ({ '/sitemap.xml': snippet('<?xml') }),
  },
};

const ENTRIES_TOO_MANY = 50_001;

export const SITE_02: Proofs = {
  OVERSIZE: {
    failing: {
      '/sitemap.xml': urlset('<url><loc>https://www.fixture-site.com/</loc></url>'.repeat(ENTRIES_TOO_MANY)),
      '/sitemap-1.xml': SITEMAP,
      '/sitemap-2.xml': urlset('<url><loc>https://www.fixture-site.com/start</loc></url>'),
    },
    mended: ({ snippet }) => ({ '/sitemap.xml': snippet('<?xml') }),
  },
  STRUCTURE: {
    failing: {
      '/sitemap.xml': urlset('<url><loc>https://www.fixture-site.com/pricing</loc><lastmod>now</lastmod></url>'),
      '/pricing': PAGE,
    },
    mended: ({ snippet }) => ({ '/sitemap.xml': urlset(snippet('<url>')) }),
  },
  DEAD_LINK: {
    failing: {
      '/sitemap.xml': urlset('<url><loc>https://www.fixture-site.com/old-pricing</loc></url>'),
      '/pricing': PAGE,
    },
    mended: ({ snippet, nginx }) => ({
      'the entry': { '/sitemap.xml': urlset(snippet('<url>')) },
      'a redirect': redirected(nginx),
    }),
  },
};
