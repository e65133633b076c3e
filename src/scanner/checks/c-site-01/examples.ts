import type { Example, ExampleAnswer, Examples } from '../../verdict/example.js';
import type { Failure } from '../../verdict/failure.js';
import { BROKEN, PAGE, readFix, REFUSED, STALLED, unserved } from '../example-parts.js';
import { SITEMAP, SITEMAP_LINE } from '../fixes/snippets.js';
import { cSite01Failures } from './failures.js';

/** A sitemap that robots.txt names. */
function named(answer: ExampleAnswer, failure: Failure): Example {
  const { failing, passing } = unserved('/sitemap.xml', answer, failure, SITEMAP);
  return { failing: { '/robots.txt': SITEMAP_LINE, ...failing }, passing };
}

const published = readFix(cSite01Failures.MISSING);

export const EXAMPLES: Examples<typeof cSite01Failures> = {
  BLOCKED: named(REFUSED, cSite01Failures.BLOCKED),
  UNREACHABLE: named(BROKEN, cSite01Failures.UNREACHABLE),
  TIMEOUT: named(STALLED, cSite01Failures.TIMEOUT),
  MISSING: {
    failing: {},
    passing: { '/robots.txt': published.snippet('Sitemap:'), '/sitemap.xml': published.snippet('<?xml') },
    otherwise: {
      'in WordPress': {
        '/robots.txt': published.snippet('Sitemap: https://www.example.com/wp-sitemap.xml'),
        '/wp-sitemap.xml': published.snippet('<?xml'),
      },
    },
  },
  WRONG_MIME: named(PAGE, cSite01Failures.WRONG_MIME),
  FORMAT: {
    failing: { '/sitemap.xml': '<urlset><url>' },
    passing: { '/sitemap.xml': readFix(cSite01Failures.FORMAT).snippet('<?xml') },
  },
};
