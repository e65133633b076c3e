import { count, listSafeText, addPlaces, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import {
  SITEMAP_PROBLEMS,
  type BrokenChild,
  type ProbedEntry,
  type SitemapEntries,
  type SitemapPart,
} from '../artifacts/sitemaps.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { fenced, redirect } from './fixes.js';
import { summarizeLinks, type FollowedLinks } from './followed-links.js';

const SITEMAP_ENTRY = fenced(`<url>
  <loc>https://www.example.com/</loc>
  <lastmod>2026-01-31T09:30:00+00:00</lastmod>
</url>`);

const HOW_WE_COUNT =
  '"entry 3" is the third entry of its file, and "child sitemap 2" is the second file that the index lists.';

/**
 * Do the pages of the sitemap exist? Source: sitemaps.org/protocol.html, with its 50,000 URLs and 50 MiB per file, its W3C datetime for
 * lastmod, and its "cross submits" for entries on another domain. Its schema allows one loc per entry, so a second one is STRUCTURE.
 */
export const cSite02 = defineCheck({
  id: 'C-SITE-02',
  revision: 3,
  pillar: 'A',
  title: 'Sitemap entries',
  shortName: 'Entries',
  answer: 'The pages that the sitemap lists exist.',
  explanation:
    'A sitemap promises that its pages exist, and says when they last changed. Crawlers that find dead pages or impossible dates stop trusting it. We check the size and structure of the sitemap (for an index: its first, middle and last child sitemap) and request 12 of its pages, spread evenly. A page is dead only if it returns 404 or 410 twice, its host does not exist, or it shows the page that your site shows for unknown addresses.',
  judgedBy: ['sitemaps'],
  failures: {
    OVERSIZE: {
      severity: 'BROKEN',
      headline: 'The sitemap is larger than crawlers accept',
      fix: `Split the sitemap into files of at most 50,000 addresses and 50 MiB each, such as /sitemap-1.xml and /sitemap-2.xml. List them in a sitemap index at the old address.

${fenced(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://www.example.com/sitemap-1.xml</loc></sitemap>
  <sitemap><loc>https://www.example.com/sitemap-2.xml</loc></sitemap>
</sitemapindex>`)}

The limit applies to the uncompressed size. An index may only list sitemaps, not other indexes.`,
    },
    STRUCTURE: {
      severity: 'BROKEN',
      headline: 'The sitemap has entries that crawlers ignore',
      fix: `Correct the entries named in the finding. Each needs one full address on your own domain. Its lastmod, if it has one, must be a date in the past.

${SITEMAP_ENTRY}

- lastmod: a date (2026-01-31), or a date, time and zone as above. If you do not know it, leave it out.
- Pages on another domain: remove them, or name this sitemap in the robots.txt of that domain.
- An index: list only sitemaps that work and are not indexes themselves.

${HOW_WE_COUNT}`,
    },
    DEAD_LINK: {
      severity: 'BROKEN',
      headline: 'The sitemap lists pages that do not exist',
      fix: `Remove the pages named in the finding from the sitemap, or publish them again. If a page has moved, list its new address and redirect the old one.

${SITEMAP_ENTRY}

${HOW_WE_COUNT} If you can, let your shop or content management system generate the sitemap from the published pages.

${redirect('/OLD-PAGE', '/NEW-PAGE')}`,
    },
  },
  notes: [
    defineNote({
      id: 'sitemap-unindexed',
      standard: 'sitemaps',
      uses: ['sitemapEntries'],
      observe: ({ sitemapEntries }) => {
        const alive = sitemapEntries?.probed.filter(({ state }) => state === 'alive') ?? [];
        if (alive.length === 0 || !alive.every(({ isUnindexed }) => isUnindexed)) return null;
        return safeText`All ${alive.length} checked pages of the sitemap are marked noindex. Remove noindex from the pages, or remove the pages from the sitemap.`;
      },
    }),
  ],
  needs: ['sitemapEntries'],
  judge({ sitemapEntries }) {
    const sizes = describeSizes(sitemapEntries);
    const structure = describeStructure(sitemapEntries);
    const pages = summarizeLinks(sitemapEntries.probed);
    const dead = describeDead(sitemapEntries, pages);
    const all = sentences(...sizes, ...structure, dead);
    if (sizes.length > 0) return fail('OVERSIZE', all);
    if (structure.length > 0) return fail('STRUCTURE', all);
    if (dead !== null) return fail('DEAD_LINK', all);
    const scope = describeScope(sitemapEntries, pages);
    const isUnread = sitemapEntries.probed.length === 0 && sitemapEntries.unknownChildCount > 0;
    return pages.isMostlyUnclear || isUnread
      ? undetermined(safeText`Too few pages gave a clear result.`, scope)
      : pass(scope);
  },
});

type Pages = FollowedLinks<ProbedEntry>;

function describeSizes({ parts }: SitemapEntries): SafeText[] {
  return parts.flatMap(({ child, file }) => [
    ...(file.hasTooManyEntries ? [safeText`${nameSitemap(child)} has more than 50,000 entries.`] : []),
    ...(file.hasTooManyBytes
      ? [safeText`${nameSitemap(child)} is larger than 50 MiB (52,428,800 bytes) uncompressed.`]
      : []),
  ]);
}

function describeStructure({ parts, external, brokenChildren }: SitemapEntries): SafeText[] {
  const unpermitted = external.filter(({ isPermitted, isPrivate }) => isPermitted === false && !isPrivate);
  const privateEntries = external.filter(({ isPrivate }) => isPrivate);
  return [
    describeDefect(parts, 'unusable'),
    describeDefect(parts, 'multipleLocs'),
    unpermitted.length === 0
      ? null
      : safeText`Some entries are on another domain whose robots.txt does not name this sitemap, the first at ${listSafeText(unpermitted.map(entryNamer(parts)))}.`,
    privateEntries.length === 0
      ? null
      : safeText`Some entries lead to a private network, which visitors cannot reach, the first at ${listSafeText(privateEntries.map(entryNamer(parts)))}.`,
    brokenChildren.length === 0
      ? null
      : safeText`The index lists sitemaps that cannot be used: ${listSafeText(brokenChildren.map(describeChild))}.`,
    describeDefect(parts, 'invalidDates'),
    describeDefect(parts, 'futureDates'),
  ].filter((sentence) => sentence !== null);
}

function describeDead({ parts, probed }: SitemapEntries, { dead }: Pages): SafeText | null {
  if (dead.length === 0) return null;
  return safeText`${dead.length} of ${count(probed.length, 'checked page', 'checked pages')} ${dead.length === 1 ? term('is') : term('are')} dead: ${listSafeText(dead.map(entryNamer(parts)))}.`;
}

function describeScope(entries: SitemapEntries, { aliveCount, describeUnclear }: Pages): SafeText {
  const { parts, probed, unknownChildCount, external } = entries;
  const children = parts.length - 1;
  const total = parts.filter(({ file }) => file.kind !== 'index').reduce((sum, { file }) => sum + file.entryCount, 0);
  return sentences(
    children > 0 || unknownChildCount > 0
      ? safeText`${count(children, 'child sitemap', 'child sitemaps')} of the index read, with ${count(total, 'entry', 'entries')}.`
      : safeText`${count(total, 'entry', 'entries')} read.`,
    probed.length > 0
      ? safeText`${aliveCount} of ${count(probed.length, 'checked page works', 'checked pages work')}.`
      : null,
    ...describeUnclear((links) => listSafeText(links.map(entryNamer(parts)))),
    unknownChildCount > 0
      ? safeText`${count(unknownChildCount, 'child sitemap', 'child sitemaps')} could not be read.`
      : null,
    external.length > 0 ? safeText`Some entries are on another domain, which does not count here.` : null,
  );
}

/** Descriptions of defects, by the field of a sitemap that counts the entries. */
const DEFECTS = {
  unusable: (n: number) => safeText`${count(n, 'entry has', 'entries have')} no absolute http(s) URL`,
  multipleLocs: (n: number) => count(n, 'loc shares an entry with another loc', 'locs share an entry with another loc'),
  invalidDates: (n: number) => safeText`${count(n, 'entry has', 'entries have')} a lastmod that is not a W3C datetime`,
  futureDates: (n: number) =>
    safeText`${count(n, 'entry has', 'entries have')} a lastmod more than a day in the future`,
};

/** Counts the entries with a defect in all files, and names the first ones of each file. Null if there are none. */
function describeDefect(parts: readonly SitemapPart[], defect: keyof typeof DEFECTS): SafeText | null {
  const n = parts.reduce((sum, { file }) => sum + file[defect].count, 0);
  const nameEntry = entryNamer(parts);
  const named = parts.flatMap(({ child, file }) =>
    file[defect].first.map((position) => nameEntry({ child, position })),
  );
  return n === 0 ? null : safeText`${DEFECTS[defect](n)}: ${listSafeText(named)}.`;
}

const CHILD_FAULTS = {
  nested: 'is itself an index',
  absent: 'is missing',
  unreachable: 'fails every time',
  timeout: 'times out every time',
  ...SITEMAP_PROBLEMS,
} as const satisfies Record<BrokenChild['reason'], string>;

function describeChild({ child, reason }: BrokenChild): SafeText {
  return safeText`child sitemap ${child} ${term(CHILD_FAULTS[reason])}`;
}

type NameEntry = (entry: { readonly child: number; readonly position: number }) => SafeText;

/** Names a sitemap at the start of a sentence. */
function nameSitemap(child: number): SafeText {
  return child === 0 ? safeText`The sitemap` : safeText`Child sitemap ${child}`;
}

/** Returns a function that names an entry and points to it: "entry 3 of child sitemap 2". */
function entryNamer(parts: readonly SitemapPart[]): NameEntry {
  return ({ child, position }) => {
    const name = child === 0 ? safeText`entry ${position}` : safeText`entry ${position} of child sitemap ${child}`;
    const part = parts.find((other) => other.child === child);
    return part ? addPlaces(name, { file: part.url, at: { entry: position } }) : name;
  };
}
