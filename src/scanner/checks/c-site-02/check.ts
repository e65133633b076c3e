import { cSite02Failures } from './failures.js';
import { cSite02Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import type { BrokenChild, ProbedEntry, SitemapEntries, SitemapPart } from '../../artifacts/sitemaps.js';
import { SITEMAP_PROBLEMS } from '../../artifacts/sitemaps.js';
import { entriesWith, type EntryDefect, nameEntryIn, nameSitemap } from '../sitemap-names.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';

/**
 * Do the sitemap's entries lead where they say? Uses the sitemap, up to 3 children of an index and 12 URLs at even distances.
 * Source: sitemaps.org/protocol.html, with its 50,000 URLs and 50 MiB per file, its W3C datetime for lastmod, and its "cross
 * submits" for entries on another domain. Its schema allows one loc per entry, so a second one is also STRUCTURE. The text says that a
 * lastmod "should" be a W3C datetime; one that the schema takes is only worth a note.
 */
export const cSite02 = defineCheck({
  id: 'C-SITE-02',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'Sitemap entries can be trusted',
  shortName: 'Entries',
  answer: 'The pages that the sitemap lists answer.',
  explanation:
    'A sitemap is a promise: these pages exist, and this is when they last changed. Readers that meet dead pages or impossible dates stop trusting it. We check the size and structure of the sitemap (of an index: its first, middle and last child sitemap) and ask for 12 of its pages, spread evenly. A page is dead only if it answers 404 or 410 twice, its host does not exist, or it shows the page that your site shows for any address that does not exist.',
  judgedBy: ['sitemaps'],
  failures: cSite02Failures,
  examples: () => import('./examples.js'),
  notes: cSite02Notes,
  needs: ['sitemapEntries'],
  judge({ sitemapEntries }) {
    const sizes = describeSizes(sitemapEntries);
    const structure = describeStructure(sitemapEntries);
    const dead = describeDead(sitemapEntries);
    const all = sentences(...sizes, ...structure, dead);
    if (sizes.length > 0) return fail('OVERSIZE', all);
    if (structure.length > 0) return fail('STRUCTURE', all);
    if (dead !== null) return fail('DEAD_LINK', all);
    if (isAllMoved(sitemapEntries)) {
      return notApplicable(
        safeText`The pages that the sitemap lists redirect to the domain that the site has moved to, so there is none to check here.`,
      );
    }
    const scope = describeScope(sitemapEntries);
    return isMostlyUnknown(sitemapEntries)
      ? undetermined(sentences(safeText`Too few pages gave a clear answer.`, scope))
      : pass(scope);
  },
});

/** The pages of this host: those that lead to where the site has moved are not judged. */
function checkedOf({ probed }: SitemapEntries): readonly ProbedEntry[] {
  return probed.filter(({ state }) => state !== 'moved');
}

function isAllMoved(entries: SitemapEntries): boolean {
  const { probed, movedChildCount, unknownChildCount } = entries;
  return movedChildCount + probed.length > 0 && unknownChildCount === 0 && checkedOf(entries).length === 0;
}

function isMostlyUnknown(entries: SitemapEntries): boolean {
  const checked = checkedOf(entries);
  const unknownCount = checked.filter(({ state }) => state === 'unknown').length;
  return unknownCount * 2 > checked.length || (checked.length === 0 && entries.unknownChildCount > 0);
}

function describeSizes({ parts }: SitemapEntries): SafeText[] {
  return parts.flatMap(({ child, file }) => [
    ...(file.hasTooManyEntries ? [safeText`${nameSitemap(child)} has more than 50,000 entries.`] : []),
    ...(file.hasTooManyBytes
      ? [safeText`${nameSitemap(child)} is larger than 50 MiB (52,428,800 bytes) uncompressed.`]
      : []),
  ]);
}

function describeStructure({ parts, foreign, brokenChildren }: SitemapEntries): SafeText[] {
  const charged = foreign.filter(({ isPermitted, isPrivate }) => isPermitted === false && !isPrivate);
  const privateOnes = foreign.filter(({ isPrivate }) => isPrivate);
  return [
    tell(
      parts,
      'unusable',
      (list, n) => safeText`${count(n, 'entry has', 'entries have')} no absolute http(s) URL: ${list}.`,
    ),
    tell(
      parts,
      'crowded',
      (list, n) =>
        safeText`${count(n, 'loc shares its entry with another', 'locs share their entry with another')}: ${list}.`,
    ),
    charged.length === 0
      ? null
      : safeText`Some entries are on another domain, whose robots.txt does not name this sitemap: first at ${listSafeText(charged.map(nameEntryIn(parts)))}.`,
    privateOnes.length === 0
      ? null
      : safeText`Some entries lead into a private network, where nobody else can follow them: first at ${listSafeText(privateOnes.map(nameEntryIn(parts)))}.`,
    brokenChildren.length === 0
      ? null
      : safeText`The index names sitemaps that cannot be used: ${listSafeText(brokenChildren.map(describeChild))}.`,
    tell(
      parts,
      'invalidDates',
      (list, n) => safeText`${count(n, 'entry has', 'entries have')} a lastmod that is not a W3C datetime: ${list}.`,
    ),
    tell(
      parts,
      'futureDates',
      (list, n) => safeText`${count(n, 'entry has', 'entries have')} a lastmod more than a day in the future: ${list}.`,
    ),
  ].filter((sentence) => sentence !== null);
}

function describeDead(entries: SitemapEntries): SafeText | null {
  const { parts } = entries;
  const probed = checkedOf(entries);
  const dead = probed.filter(({ state }) => state === 'dead');
  if (dead.length === 0) return null;
  return safeText`${dead.length} of ${count(probed.length, 'checked page', 'checked pages')} ${dead.length === 1 ? term('is') : term('are')} dead: ${listSafeText(dead.map(nameEntryIn(parts)))}.`;
}

function describeScope(entries: SitemapEntries): SafeText {
  const { parts, unknownChildCount, foreign, hasOtherHosts } = entries;
  const probed = checkedOf(entries);
  const movedCount = entries.probed.length - probed.length;
  const children = parts.length - 1;
  const total = parts.filter(({ file }) => file.kind !== 'index').reduce((sum, { file }) => sum + file.entryCount, 0);
  const alive = probed.filter(({ state }) => state === 'alive').length;
  const unknown = probed.length - alive;
  return sentences(
    children > 0 || unknownChildCount > 0
      ? safeText`${count(children, 'child sitemap', 'child sitemaps')} of the index read, with ${count(total, 'entry', 'entries')}.`
      : safeText`${count(total, 'entry', 'entries')} read.`,
    probed.length > 0
      ? safeText`${alive} of ${count(probed.length, 'checked page answers', 'checked pages answer')}.`
      : null,
    unknown > 0 ? safeText`${unknown} gave no clear answer (refused, failing or too slow).` : null,
    movedCount > 0 ? safeText`${movedCount} redirect to the domain that the site has moved to.` : null,
    unknownChildCount > 0
      ? safeText`${count(unknownChildCount, 'child sitemap', 'child sitemaps')} could not be read.`
      : null,
    foreign.length > 0 ? safeText`Some entries are on another domain, which does not count here.` : null,
    hasOtherHosts ? safeText`Some entries are on another host of the same domain.` : null,
    parts.some(({ file }) => !file.hasNamespace) ? safeText`A root element lacks the namespace of sitemaps.org.` : null,
  );
}

/** One sentence about a defect across all files, or null if no file has it. */
function tell(
  parts: readonly SitemapPart[],
  defect: EntryDefect,
  sentence: (list: SafeText, n: number) => SafeText,
): SafeText | null {
  const { count: n, named } = entriesWith(parts, defect);
  return n === 0 ? null : sentence(listSafeText(named), n);
}

function describeChild({ child, reason }: BrokenChild): SafeText {
  switch (reason) {
    case 'nested':
      return safeText`child sitemap ${child} is itself an index`;
    case 'absent':
      return safeText`child sitemap ${child} is missing`;
    case 'unreachable':
      return safeText`child sitemap ${child} fails on every try`;
    case 'timeout':
      return safeText`child sitemap ${child} gives no answer in time on any try`;
    default:
      return safeText`child sitemap ${child} ${term(SITEMAP_PROBLEMS[reason])}`;
  }
}
