import { count, listSafeText, safeText } from '../../artifacts/safe-text.js';
import { entriesWith } from '../sitemap-names.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About entries that readers take in their own ways. */
export const cSite02Notes = [
  defineNote({
    id: 'sitemap-lastmod',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const { count: n, named } = entriesWith(sitemapEntries?.parts ?? [], 'looseDates');
      if (n === 0) return null;
      return safeText`${count(n, 'entry has', 'entries have')} a lastmod that the schema of sitemaps.org takes, or nearly, but that is not a W3C datetime (${listSafeText(named)}): write a date (2026-01-31), or date, time and zone (2026-01-31T09:30:00+00:00).`;
    },
  }),
  defineNote({
    id: 'sitemap-unindexed',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const alive = sitemapEntries?.probed.filter(({ state }) => state === 'alive') ?? [];
      if (alive.length === 0 || !alive.every(({ isUnindexed }) => isUnindexed)) return null;
      return safeText`Every page of the sitemap that was looked at (${alive.length}) says noindex: remove it from the pages, or the pages from the sitemap.`;
    },
  }),
];
