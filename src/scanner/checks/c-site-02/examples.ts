import type { Examples } from '../../verdict/example.js';
import { PAGE, readFix, urlset } from '../example-parts.js';
import { SITEMAP } from '../fixes/snippets.js';
import { cSite02Failures } from './failures.js';

const [before = '', after = ''] = urlset('\n|').split('|');
const moved = readFix(cSite02Failures.DEAD_LINK);

export const EXAMPLES: Examples<typeof cSite02Failures> = {
  OVERSIZE: {
    failing: {
      '/sitemap.xml': {
        body: { before, line: '<url><loc>https://www.example.com/</loc></url>', times: 50_001, after },
      },
      '/sitemap-1.xml': SITEMAP,
      '/sitemap-2.xml': urlset('<url><loc>https://www.example.com/start</loc></url>'),
    },
    passing: { '/sitemap.xml': readFix(cSite02Failures.OVERSIZE).snippet('<?xml') },
  },
  STRUCTURE: {
    failing: {
      '/sitemap.xml': urlset('<url><loc>https://www.example.com/pricing</loc><lastmod>now</lastmod></url>'),
      '/pricing': PAGE,
    },
    passing: { '/sitemap.xml': urlset(readFix(cSite02Failures.STRUCTURE).snippet('<url>')) },
  },
  DEAD_LINK: {
    failing: {
      '/sitemap.xml': urlset('<url><loc>https://www.example.com/old-pricing</loc></url>'),
      '/pricing': PAGE,
    },
    passing: { '/sitemap.xml': urlset(moved.snippet('<url>')) },
    otherwise: { 'a redirect': moved.redirected() },
  },
};
