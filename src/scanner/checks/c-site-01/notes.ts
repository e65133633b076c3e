import { entriesWith, nameSitemap } from '../sitemap-names.js';
import type { SitemapPart } from '../../artifacts/sitemaps.js';
import {
  count,
  joinSafeText,
  lineOf,
  listSafeText,
  type SafeText,
  safeText,
  sentences,
} from '../../artifacts/safe-text.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About files that strict readers refuse, and others read. */
export const cSite01Notes = [
  defineNote({
    id: 'sitemap-prefix',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const lines = (sitemapEntries?.parts ?? []).flatMap(({ child, url, file: { undeclaredPrefixLine: line } }) =>
        line === null ? [] : [safeText`${nameFile(child)}, ${lineOf(url, line)}`],
      );
      if (lines.length === 0) return null;
      return safeText`A name has a prefix that nothing declares (first in ${listSafeText(lines)}), so strict XML readers refuse the whole file: declare it on the root element, such as xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".`;
    },
  }),
  defineNote({
    id: 'sitemap-doctype',
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) => {
      const parts = (sitemapEntries?.parts ?? []).filter(({ file }) => file.hasDoctype);
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
    standard: 'sitemaps',
    uses: ['sitemapEntries'],
    observe: ({ sitemapEntries }) =>
      (sitemapEntries?.parts ?? []).some(({ file }) => file.isUtf16List)
        ? safeText`A text list of addresses is in UTF-16, in which some readers see none: save it as UTF-8, which sitemaps.org asks for.`
        : null,
  }),
];

/** Within a sentence. */
function nameFile(child: number): SafeText {
  return child === 0 ? safeText`the sitemap` : safeText`child sitemap ${child}`;
}

/** "The sitemap has", "Child sitemap 1 and child sitemap 3 have". */
function nameAll([first, ...others]: readonly SitemapPart[]): SafeText {
  const names = [nameSitemap(first?.child ?? 0), ...others.map(({ child }) => nameFile(child))];
  return joinSafeText([listSafeText(names), others.length === 0 ? safeText`has` : safeText`have`], ' ');
}
