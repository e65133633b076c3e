import { entriesWith, nameSitemap } from '../evidence/sitemap-names.js';
import type { SitemapEntries, SitemapPart } from '../evidence/sitemaps.js';
import {
  count,
  joinSafeText,
  lineOf,
  listSafeText,
  type SafeText,
  safeText,
  sentences,
} from '../evidence/safe-text.js';
import { defineNote } from './note.js';

/** Notes about sitemaps: what strict readers refuse, and others read. */
export const SITEMAP_NOTES = [
  defineNote({
    id: 'sitemap-prefix',
    checkId: 'C-SITE-01',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const lines = partsOf(sitemapEntries).flatMap(({ child, url, file: { undeclaredPrefixLine: line } }) =>
        line === null ? [] : [safeText`${nameFile(child)}, ${lineOf(url, line)}`],
      );
      if (lines.length === 0) return null;
      return safeText`A name has a prefix that nothing declares (first in ${listSafeText(lines)}), so strict XML readers refuse the whole file: declare it on the root element, such as xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`;
    },
  }),
  defineNote({
    id: 'sitemap-doctype',
    checkId: 'C-SITE-01',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const parts = partsOf(sitemapEntries).filter(({ file }) => file.hasDoctype);
      if (parts.length === 0) return null;
      const unread = entriesWith(parts, 'unread');
      return sentences(
        safeText`${nameAll(parts)} a DOCTYPE, which many readers refuse, since it can carry an attack: remove it.`,
        unread.count === 0
          ? null
          : safeText`${count(unread.count, 'entry was', 'entries were')} not read, since only its entities say what stands there (${listSafeText(unread.named)}): write the addresses and dates out.`,
      );
    },
  }),
  defineNote({
    id: 'sitemap-utf-16',
    checkId: 'C-SITE-01',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) =>
      partsOf(sitemapEntries).some(({ file }) => file.isUtf16List)
        ? safeText`A text list of addresses is in UTF-16, in which some readers see none: save it as UTF-8, which sitemaps.org asks for.`
        : null,
  }),
  defineNote({
    id: 'sitemap-lastmod',
    checkId: 'C-SITE-02',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const { count: n, named } = entriesWith(partsOf(sitemapEntries), 'looseDates');
      if (n === 0) return null;
      return safeText`${count(n, 'entry has', 'entries have')} a lastmod that the schema of sitemaps.org takes, or nearly, but that is no W3C datetime (${listSafeText(named)}): write a date (2026-01-31), or date, time and zone (2026-01-31T09:30:00+00:00).`;
    },
  }),
  defineNote({
    id: 'sitemap-unindexed',
    checkId: 'C-SITE-02',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const alive = sitemapEntries?.probed.filter(({ state }) => state === 'alive') ?? [];
      if (alive.length === 0 || !alive.every(({ isUnindexed }) => isUnindexed)) return null;
      return safeText`Every page of the sitemap that was looked at (${alive.length}) says noindex: remove it from the pages, or the pages from the sitemap.`;
    },
  }),
];

function partsOf(entries: SitemapEntries | null): readonly SitemapPart[] {
  return entries?.parts ?? [];
}

/** Within a sentence. */
function nameFile(child: number): SafeText {
  return child === 0 ? safeText`the sitemap` : safeText`child sitemap ${child}`;
}

/** "The sitemap has", "Child sitemap 1 and child sitemap 3 have". */
function nameAll([first, ...others]: readonly SitemapPart[]): SafeText {
  const names = [nameSitemap(first?.child ?? 0), ...others.map(({ child }) => nameFile(child))];
  return joinSafeText([listSafeText(names), others.length === 0 ? safeText`has` : safeText`have`], ' ');
}
