import { PAGE, type Proofs } from './proof.js';
import { redirected, SITEMAP, urlset } from './parts.js';

const ENTRIES_TOO_MANY = 50_001;

export const PROOFS: Proofs = {
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
