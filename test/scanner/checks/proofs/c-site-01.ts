import { FAILING, type Proofs, type Routes } from './proof.js';
import { unserved, SITEMAP } from './parts.js';

const SITEMAP_NAMED: Routes = { '/robots.txt': 'Sitemap: https://www.fixture-site.com/sitemap.xml' };

export const PROOFS: Proofs = {
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
