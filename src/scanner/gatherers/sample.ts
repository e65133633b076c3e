import { distinctBy } from '../../net/keyed.js';
import { pageKey, describeNoPage, type PageCandidate, type Sample, type SamplePage } from '../artifacts/pages.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
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
  if (page === null) return lacking('NOT_APPLICABLE', describeNoPage(home.ok));

  const file = readableRobots(valueOf(await context.evidence('robots')));
  const keyOf = (candidate: PageCandidate): string => pageKey(candidate.url, url);
  /** Pages that robots.txt allows us to fetch, once each. */
  const allowedOf = (pages: readonly PageCandidate[]): PageCandidate[] =>
    distinctBy(pages, keyOf).filter(
      (one) => file === null || isAllowedInBothViews(file.robots, SCANNER_TOKEN, one.url),
    );
  const chosen = candidates.filter(isChosen);
  // Some checks use only the first pages, so the order must not depend on the user's.
  const sorted = [...chosen].sort((one, other) => (one.path < other.path ? -1 : 1));
  const wanted = allowedOf([...sorted, ...candidates.filter((one) => !isChosen(one))]);
  const others = new PageReader(context, url, chosen.length);
  await others.read(wanted.filter((one) => keyOf(one) !== pageKey(url, url)));
  if (others.isShort) {
    const seen = new Set(candidates.map(keyOf));
    const entries = allowedOf(await listSitemapCandidates(context, url));
    await others.read(entries.filter((one) => !seen.has(keyOf(one))));
  }
  const first: SamplePage = { position: 1, origin: safeText`home page`, url, linkHeaders, facts: page };
  return found<Sample>({
    pages: [first, ...others.pages],
    ...(chosen.length > 0 && {
      chosen: chosen.map(({ path }) => ({ path, isRead: others.chosenPaths.has(path) })),
    }),
  });
};

function isChosen(candidate: PageCandidate): candidate is PageCandidate & { readonly path: string } {
  return candidate.path !== undefined;
}

type ReadPage = Omit<SamplePage, 'position'>;

/** Reads candidates in batches of as many as are still needed, and stores those that are pages, in order. */
class PageReader {
  readonly pages: SamplePage[] = [];
  /** Paths of the user's pages that were read. */
  readonly chosenPaths = new Set<string>();
  readonly #seen: Set<string>;
  #triesLeft: number;

  constructor(
    private readonly context: CollectContext,
    private readonly home: URL,
    chosenCount: number,
  ) {
    this.#seen = new Set([withoutFragment(home)]);
    this.#triesLeft = SCAN_LIMITS.otherPagesTriedMax + chosenCount;
  }

  get isShort(): boolean {
    return this.pages.length < SCAN_LIMITS.otherPagesMax;
  }

  /** @param candidates the user's pages first; they are all read in the first batch */
  async read(candidates: readonly PageCandidate[]): Promise<void> {
    const rest = [...candidates];
    while (this.isShort && this.#triesLeft > 0 && rest.length > 0) {
      const needed = Math.max(SCAN_LIMITS.otherPagesMax - this.pages.length, rest.filter(isChosen).length);
      const batch = rest.splice(0, Math.min(needed, this.#triesLeft));
      this.#triesLeft -= batch.length;
      const pages = await Promise.all(batch.map(async (one) => ({ ...one, page: await this.#fetch(one) })));
      for (const { path, page } of pages) {
        if (page === null || this.#seen.has(withoutFragment(page.url))) continue;
        this.#seen.add(withoutFragment(page.url));
        if (path !== undefined) this.chosenPaths.add(path);
        this.pages.push({ ...page, position: this.pages.length + 2 });
      }
    }
  }

  async #fetch({ url, origin, path }: PageCandidate): Promise<ReadPage | null> {
    const { target, visit } = this.context;
    const fetched = await visit.fetch(url, { bodyBytesMax: PAGE_BYTES_MAX });
    if ('failure' in fetched) return null;
    const { response } = fetched;
    if (response.challenge !== null || !isSameSite(response.url, this.home)) return null;
    if (path !== undefined && ![target.origin.host, this.home.host].includes(response.url.host)) return null;
    const facts = pageOf(response);
    const linkHeaders = parseLinkHeaders(response.headers.all('link'), response.url);
    return facts && { origin, url: response.url, linkHeaders, facts };
  }
}

/** Lists pages of the sitemap; used only if the home page links to too few. */
async function listSitemapCandidates(context: CollectContext, home: URL): Promise<PageCandidate[]> {
  const file = valueOf(await context.evidence('sitemap'))?.found?.file;
  if (!file || file.kind === 'index') return [];
  return selectCandidates(file.entries, home).map(({ url, position }) => ({
    url,
    origin: safeText`entry ${position} of the sitemap`,
  }));
}

/** An item that represents `weight` items of the full list, including itself. */
export interface Weighted {
  readonly weight: number;
}

/**
 * Picks at most `most` evenly spaced items, in order, including the first and the last. Deterministic, so two runs check the same items.
 * Spacing uses the weights, so that a thinned list gives the same distribution as the full one.
 */
export function sampleByWeight<T extends Weighted>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  const centers: number[] = [];
  let total = 0;
  for (const { weight } of items) {
    centers.push(total + weight / 2);
    total += weight;
  }
  const start = centers[0] ?? 0;
  const span = (centers.at(-1) ?? 0) - start;
  const chosen: T[] = [];
  for (let next = 0; chosen.length < most; next += 1) {
    const wanted = start + (span * chosen.length) / Math.max(1, most - 1);
    // Leave enough items for the remaining picks.
    const lastIndex = items.length - (most - chosen.length);
    while (next < lastIndex && Math.abs((centers[next + 1] ?? 0) - wanted) <= Math.abs((centers[next] ?? 0) - wanted)) {
      next += 1;
    }
    chosen.push(...items.slice(next, next + 1));
  }
  return chosen;
}

/** {@link sampleByWeight} with a weight of 1 for every item. */
export function sampleEvenly<T>(items: readonly T[], most: number): T[] {
  const weighted = items.map((item) => ({ item, weight: 1 }));
  return sampleByWeight(weighted, most).map(({ item }) => item);
}
