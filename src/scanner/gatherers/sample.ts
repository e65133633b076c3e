import { distinctBy } from '../../net/keyed.js';
import { pageKey, describeNoPage, type PageCandidate, type Sample, type SamplePage } from '../artifacts/pages.js';
import { found, missing, valueOf } from '../artifacts/evidence.js';
import { readableRobots } from '../artifacts/robots.js';
import { safeText } from '../artifacts/safe-text.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { isSameSite, withoutFragment } from '../../net/url-gate.js';
import { parseLinkHeaders } from '../parsers/headers.js';
import { isAllowedInBothViews } from '../parsers/robots.js';
import { PAGE_BYTES_MAX, pageOf, selectCandidates } from '../probe/page.js';
import type { CollectContext, Collector } from '../probe/context.js';

/** Collects the home page and up to 3 internal HTML pages, chosen deterministically. Up to 5 pages that the user chose replace them. */
export const collectSample: Collector<'sample'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const { page, url, linkHeaders, candidates } = home.ok;
  if (page === null) return missing('NOT_APPLICABLE', describeNoPage(home.ok));

  const file = readableRobots(valueOf(await context.evidence('robots')));
  const keyOf = (candidate: PageCandidate): string => pageKey(candidate.url, url);
  /** Returns the pages that robots.txt allows us to fetch, without duplicates. */
  const selectAllowed = (pages: readonly PageCandidate[]): PageCandidate[] =>
    distinctBy(pages, keyOf).filter(
      (candidate) => file === null || isAllowedInBothViews(file.robots, SCANNER_TOKEN, candidate.url),
    );
  const chosen = candidates.filter(isChosen);
  const chosenPaths = new Set<string>();
  const pages: [SamplePage, ...SamplePage[]] = [
    { position: 1, foundAt: safeText`home page`, url, linkHeaders, facts: page },
  ];
  let triesLeft = SCAN_LIMITS.otherPagesTriedMax + chosen.length;
  /** Reads candidates in batches of as many pages as the sample still needs. The first batch has all pages that the user chose. */
  const readBatches = async (rest: PageCandidate[]): Promise<void> => {
    for (;;) {
      const neededCount = 1 + SCAN_LIMITS.otherPagesMax - pages.length;
      if (neededCount <= 0 || triesLeft <= 0 || rest.length === 0) return;
      const batch = rest.splice(0, Math.min(triesLeft, Math.max(neededCount, rest.filter(isChosen).length)));
      triesLeft -= batch.length;
      const results = await Promise.all(
        batch.map(async (candidate) => ({ candidate, page: await readPage(context, candidate, url) })),
      );
      for (const { candidate, page: other } of results) {
        if (!other || pages.some((page) => withoutFragment(page.url) === withoutFragment(other.url))) continue;
        if (candidate.path !== undefined) chosenPaths.add(candidate.path);
        pages.push({ ...other, position: pages.length + 1 });
      }
    }
  };
  // Some checks use only the first pages, so the user's order must not matter.
  const sorted = [...chosen].sort((a, b) => (a.path < b.path ? -1 : 1));
  const wanted = selectAllowed([...sorted, ...candidates.filter((candidate) => !isChosen(candidate))]);
  await readBatches(wanted.filter((candidate) => keyOf(candidate) !== pageKey(url, url)));
  if (pages.length <= SCAN_LIMITS.otherPagesMax) {
    const seen = new Set(candidates.map(keyOf));
    const entries = selectAllowed(await listSitemapCandidates(context, url));
    await readBatches(entries.filter((candidate) => !seen.has(keyOf(candidate))));
  }
  return found<Sample>({
    pages,
    ...(chosen.length > 0 && { chosen: chosen.map(({ path }) => ({ path, isRead: chosenPaths.has(path) })) }),
  });
};

function isChosen(candidate: PageCandidate): candidate is PageCandidate & { readonly path: string } {
  return candidate.path !== undefined;
}

/** Reads a candidate. Returns null if it is not an HTML page on the home page's site. */
async function readPage(
  { target, visit }: CollectContext,
  { url, foundAt, path }: PageCandidate,
  home: URL,
): Promise<Omit<SamplePage, 'position'> | null> {
  const fetched = await visit.fetch(url, { bodyBytesMax: PAGE_BYTES_MAX });
  if ('failure' in fetched) return null;
  const { response } = fetched;
  if (response.challenge !== null || !isSameSite(response.url, home)) return null;
  if (path !== undefined && ![target.origin.host, home.host].includes(response.url.host)) return null;
  const facts = pageOf(response);
  const linkHeaders = parseLinkHeaders(response.headers.all('link'), response.url);
  return facts && { foundAt, url: response.url, linkHeaders, facts };
}

/** Lists pages of the sitemap; used only if the home page links to too few. */
async function listSitemapCandidates(context: CollectContext, home: URL): Promise<PageCandidate[]> {
  const file = valueOf(await context.evidence('sitemap'))?.found?.file;
  if (!file || file.kind === 'index') return [];
  return selectCandidates(file.entries, home).map(({ url, position }) => ({
    url,
    foundAt: safeText`entry ${position} of the sitemap`,
  }));
}

/**
 * Picks up to `countMax` evenly spaced items, in order, including the first and the last. Deterministic, so two runs check the same items.
 * An item represents `weight` items of the full list, including itself, so a thinned list gives the same distribution as the full one.
 */
export function sampleByWeight<T extends { readonly weight: number }>(items: readonly T[], countMax: number): T[] {
  if (items.length <= countMax) return [...items];
  let total = 0;
  const centers = items.map(({ weight }) => (total += weight) - weight / 2);
  const start = centers[0] ?? 0;
  const span = (centers.at(-1) ?? 0) - start;
  const chosen: T[] = [];
  for (let next = 0; chosen.length < countMax; next += 1) {
    const wanted = start + (span * chosen.length) / Math.max(1, countMax - 1);
    // Leave enough items for the remaining picks.
    const lastIndex = items.length - (countMax - chosen.length);
    while (next < lastIndex && Math.abs((centers[next + 1] ?? 0) - wanted) <= Math.abs((centers[next] ?? 0) - wanted)) {
      next += 1;
    }
    chosen.push(...items.slice(next, next + 1));
  }
  return chosen;
}

export function sampleEvenly<T>(items: readonly T[], countMax: number): T[] {
  const weighted = items.map((item) => ({ item, weight: 1 }));
  return sampleByWeight(weighted, countMax).map(({ item }) => item);
}
