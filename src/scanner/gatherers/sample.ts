import { isSameHost } from '../../net/url-gate.js';
import { pageKey, pathOf } from '../artifacts/chosen-pages.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import { describeNoPage, type Home, type Sample, type SamplePage } from '../artifacts/pages.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { type SafeText, safeText } from '../artifacts/safe-text.js';
import { isAllowedInBothViews } from '../parsers/robots-match.js';
import { PAGE_BYTES_MAX } from '../probe/baseline.js';
import { parseLinkHeaders } from '../parsers/header-values.js';
import { distinctBy } from '../../net/keyed.js';
import type { ScanTarget } from '../client/visit.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { pageOf } from '../probe/page.js';
import { type SampleCandidate, findSampleCandidates, selectCandidates } from '../probe/sample-candidates.js';
import { readableRobots } from '../artifacts/robots.js';

/** Candidates that are checked against robots.txt. */
const CANDIDATES_MAX = 30;

interface Candidate extends Pick<SampleCandidate, 'url'> {
  readonly origin: SafeText;
  /** Set for a page that the user chose. */
  readonly path?: string;
}

/** Collects the home page and up to 3 internal HTML pages, chosen deterministically. Up to 5 pages that the user chose replace them. */
export const collectSample: Collector<'sample'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const { page, url, linkHeaders } = home.ok;
  if (page === null) return lacking('NOT_APPLICABLE', describeNoPage(home.ok));

  const isAllowed = await readOwnRules(context);
  const chosen = choosePages(context.target, url);
  const keyOf = (candidate: Pick<Candidate, 'url'>): string => pageKey(candidate.url, url);
  const chosenKeys = new Set(chosen.map(keyOf));
  const isUnchosen = (candidate: Candidate): boolean => !chosenKeys.has(keyOf(candidate));
  // Some checks use only the first pages, so the order must not depend on the user's.
  const wanted = chosen
    .filter((candidate) => keyOf(candidate) !== keyOf({ url }) && isAllowed(candidate))
    .sort((one, other) => (one.path < other.path ? -1 : 1));

  const links = findSampleCandidates(page, url).slice(0, CANDIDATES_MAX);
  const disallowed = links.filter((link) => !isAllowed(link)).slice(0, SCAN_LIMITS.otherPagesMax);
  const allowed: Candidate[] = links
    .filter(isAllowed)
    .map((link) => ({ url: link.url, origin: safeText`link ${link.position} of the home page` }));
  const others = new PageFetcher(context, home.ok, wanted.length);
  await others.fetch([...wanted, ...allowed.filter(isUnchosen)]);
  if (others.isShort || allowed.length < SCAN_LIMITS.otherPagesMax) {
    const entries = (await listSitemapCandidates(context, url)).filter(isAllowed);
    await others.fetch(entries.filter(isUnchosen));
    allowed.push(...entries);
  }

  const first: SamplePage = { position: 1, origin: safeText`home page`, url, linkHeaders, facts: page };
  const sample: Sample = { pages: [first, ...others.pages], disallowed: disallowed.map((link) => link.url) };
  if (chosen.length === 0) return found(sample);
  const usual = allowed.slice(0, SCAN_LIMITS.otherPagesMax).map((candidate) => others.finalOf(candidate.url));
  return found<Sample>({
    ...sample,
    chosen: chosen.map(({ path }) => ({ path, came: others.readPaths.has(path) ? 'read' : 'unread' })),
    usual: [...usual, ...others.unchosenUrls],
  });
};

/** Returns the distinct pages that the user chose, on the scheme and host that the home page answered on. */
function choosePages({ pages = [] }: ScanTarget, home: URL): (Candidate & { readonly path: string })[] {
  const asked = pages.map((page) => ({
    path: pathOf(page),
    url: isSameHost(page, home) ? new URL(home.origin + page.pathname + page.search) : page,
  }));
  const distinct = distinctBy(asked, ({ url }) => pageKey(url, home)).slice(0, SCAN_LIMITS.chosenPagesMax);
  return distinct.map(({ path, url }, index) => ({
    path,
    url,
    origin: distinct.length === 1 ? safeText`the chosen page` : safeText`chosen page ${index + 1}`,
  }));
}

/** Fetches candidates in batches of as many as are still needed, and stores those that are pages, in order. */
class PageFetcher {
  readonly pages: SamplePage[] = [];
  /** Paths of pages that the user chose. */
  readonly readPaths = new Set<string>();
  /** Final URLs of pages that the user did not choose. */
  readonly unchosenUrls: URL[] = [];
  readonly #finals = new Map<string, URL>();
  readonly #seen: Set<string>;
  #triesLeft: number;

  constructor(
    private readonly context: CollectContext,
    private readonly home: Home,
    chosenCount: number,
  ) {
    this.#seen = new Set([withoutFragment(home.url)]);
    this.#triesLeft = SCAN_LIMITS.otherPagesTriedMax + chosenCount;
  }

  get isShort(): boolean {
    return this.pages.length < SCAN_LIMITS.otherPagesMax;
  }

  /** Returns the final URL of a fetched page, else the URL itself. */
  finalOf(url: URL): URL {
    return this.#finals.get(pageKey(url, this.home.url)) ?? url;
  }

  /** @param candidates the user's pages first; they are all fetched in the first batch */
  async fetch(candidates: readonly Candidate[]): Promise<void> {
    const chosenCount = candidates.filter(({ path }) => path !== undefined).length;
    let next = 0;
    while (this.isShort && this.#triesLeft > 0 && next < candidates.length) {
      const needed = Math.max(SCAN_LIMITS.otherPagesMax - this.pages.length, chosenCount - next);
      const batch = candidates.slice(next, next + Math.min(needed, this.#triesLeft));
      next += batch.length;
      this.#triesLeft -= batch.length;
      const pages = await Promise.all(batch.map((candidate) => this.#fetchPage(candidate)));
      for (const [index, candidate] of batch.entries()) this.#store(candidate, pages[index] ?? null);
    }
  }

  async #fetchPage({ url, origin, path }: Candidate): Promise<Omit<SamplePage, 'position'> | null> {
    const fetched = await this.context.visit.fetch(url, { bodyBytesMax: PAGE_BYTES_MAX });
    if ('failure' in fetched) return null;
    const { response } = fetched;
    if (response.challenge !== null || !isSameSite(response.url, this.home.url)) return null;
    const ownHosts = [this.context.target.origin.host, this.home.url.host];
    if (path !== undefined && !ownHosts.includes(response.url.host)) return null;
    const facts = pageOf(response);
    if (facts === null) return null;
    const linkHeaders = parseLinkHeaders(response.headers.all('link'), response.url);
    return { origin, url: response.url, linkHeaders, facts };
  }

  #store({ url, path }: Candidate, page: Omit<SamplePage, 'position'> | null): void {
    if (page === null) return;
    this.#finals.set(pageKey(url, this.home.url), page.url);
    if (path === undefined) this.unchosenUrls.push(page.url);
    if (this.#seen.has(withoutFragment(page.url))) return;
    if (path !== undefined) this.readPaths.add(path);
    this.#seen.add(withoutFragment(page.url));
    this.pages.push({ ...page, position: this.pages.length + 2 });
  }
}

/** Returns a test for URLs that robots.txt allows us to fetch, however it is read; all if it could not be read. */
async function readOwnRules(context: CollectContext): Promise<(candidate: Pick<SampleCandidate, 'url'>) => boolean> {
  const file = readableRobots(valueOf(await context.evidence('robots')));
  return ({ url }) => file === null || isAllowedInBothViews(file.robots, SCANNER_TOKEN, url);
}

/** Lists pages of the sitemap; used only if the home page links to too few. */
async function listSitemapCandidates(context: CollectContext, home: URL): Promise<Candidate[]> {
  const file = valueOf(await context.evidence('sitemap'))?.found?.file;
  if (!file || file.kind === 'index') return [];
  return selectCandidates(file.entries, home).map(({ url, position }) => ({
    url,
    origin: safeText`entry ${position} of the sitemap`,
  }));
}
