import type { SitemapFile, SitemapPart } from '../artifacts/sitemaps.js';
import { pointTo, type SafeText, safeText } from '../artifacts/safe-text.js';

/** The fields of a sitemap that hold the positions of entries. */
export type EntryDefect = 'unusable' | 'unread' | 'crowded' | 'invalidDates' | 'looseDates' | 'futureDates';

export type EntryName = (entry: { readonly child: number; readonly position: number }) => SafeText;

/** At the start of a sentence. */
export function nameSitemap(child: number): SafeText {
  return child === 0 ? safeText`The sitemap` : safeText`Child sitemap ${child}`;
}

/** "entry 3 of child sitemap 2", which points to it. */
export function nameEntryIn(parts: readonly SitemapPart[]): EntryName {
  return ({ child, position }) => {
    const name = child === 0 ? safeText`entry ${position}` : safeText`entry ${position} of child sitemap ${child}`;
    const part = parts.find((other) => other.child === child);
    return part ? pointTo(name, { file: part.url, at: { entry: position } }) : name;
  };
}

/** How many entries of all files have a defect, and the names of the first of each file. */
export function entriesWith(
  parts: readonly SitemapPart[],
  defect: EntryDefect & keyof SitemapFile,
): { readonly count: number; readonly named: readonly SafeText[] } {
  const nameEntry = nameEntryIn(parts);
  return {
    count: parts.reduce((sum, { file }) => sum + file[defect].count, 0),
    named: parts.flatMap(({ child, file }) => file[defect].first.map((position) => nameEntry({ child, position }))),
  };
}
