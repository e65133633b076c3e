import type { Failures } from '../../verdict/failure.js';
import { redirect } from '../fixes/servers/redirect.js';
import { SITEMAP_ENTRY } from '../fixes/snippets.js';

export const cSite02Failures = {
  OVERSIZE: {
    severity: 'BROKEN',
    headline: 'The sitemap is larger than its readers accept',
    fix: `Split the sitemap into files of at most 50,000 addresses and 50 MiB each, and list these files in a sitemap index at the old address.

<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://www.example.com/sitemap-1.xml</loc></sitemap>
  <sitemap><loc>https://www.example.com/sitemap-2.xml</loc></sitemap>
</sitemapindex>

The size counts without compression. An index lists sitemaps only, no other index.`,
    onFixed: {},
  },
  STRUCTURE: {
    severity: 'BROKEN',
    headline: 'The sitemap has entries that its readers drop',
    fix: `Correct the entries that the finding names: each has one full address on your own domain and, if any, a lastmod that is a date of the past.

${SITEMAP_ENTRY}

- lastmod: a date (2026-01-31), or date, time and zone as above. If you do not know it, leave it out.
- Pages of another domain: take them out, or name this sitemap in the robots.txt of that domain.
- An index: list only sitemaps that answer and are not indexes themselves.

"entry 3" is the third one in its file, "child sitemap 2" the second one that the index lists.`,
    onFixed: {},
  },
  DEAD_LINK: {
    severity: 'BROKEN',
    headline: 'The sitemap lists pages that are not there',
    fix: `Take the pages that the finding names out of the sitemap, or publish them again; where a page has moved, list its new address and redirect the old one.

${SITEMAP_ENTRY}

"entry 3" is the third one in its file, "child sitemap 2" the second one that the index lists. Let your shop or content system write the sitemap from the pages that are published now.

${redirect('/old-pricing', '/pricing')}`,
    onFixed: {},
  },
} as const satisfies Failures;
