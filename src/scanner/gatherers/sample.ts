import { type ChosenPage, isSameHost, pageKey, pathOf } from '../artifacts/chosen-pages.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import { type Home, type Sample, type SamplePage, describeNoPage } from '../artifacts/pages.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { type SafeText, safeText } from '../artifacts/safe-text.js';
import { isAllowedInBothViews } from '../parsers/robots-match.js';
import { PAGE_BYTES_MAX } from '../probe/baseline.js';
import { parseLinkHeaders } from '../parsers/header-values.js';
import { detectChallenge } from '../client/challenge.js';
import { distinctBy } from '../../net/keyed.js';
import type { Fetched, ScanTarget } from '../client/visit.js';
import type { CollectContext, Collector } from '../probe/collector.js';
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

type NewPage = Omit<SamplePage, 'position'>;

/** Collects the home page and up to 3 internal HTML pages, chosen deterministically. Up to 5 pages that the user chose replace them. */
export const collectSample: Collector<'sample'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const { page, url, linkHeaders } = home.ok;
  if (page === null) return lacking('NOT_APPLICABLE', describeNoPage(home.ok));

  const isAllowed = await readOwnRules(context);
  const chosen = new ChosenPages(context.target, url, isAllowed);
  const allowed: Candidate[] = [];
  const disallowed: URL[] = [];
  for (const link of findSampleCandidates(page, url).slice(0, CANDIDATES_MAX)) {
    if (isAllowed(link)) allowed.push({ url: link.url, origin: safeText`link ${link.position} of the home page` });
    else if (disallowed.length < SCAN_LIMITS.otherPagesMax) disallowed.push(link.url);
  }
  const isUnchosen = (candidate: Candidate): boolean => !chosen.has(candidate.url);
  const others = new PageFetcher(context, home.ok, chosen);
  await others.fetch([...chosen.allowed, ...allowed.filter(isUnchosen)]);
  if (others.isShort || allowed.length < SCAN_LIMITS.otherPagesMax) {
    const entries = (await listSitemapCandidates(context, url)).filter((entry) => isAllowed(entry));
    await others.fetch(entries.filter(isUnchosen));
    allowed.push(...entries);
  }

  const first: SamplePage = { position: 1, origin: safeText`home page`, url, linkHeaders, facts: page };
  const sample = { pages: [first, ...others.pages], disallowed } satisfies Sample;
  if (chosen.pages.length === 0) return found<Sample>(sample);
  const usual = allowed.slice(0, SCAN_LIMITS.otherPagesMax).map((candidate) => others.finalOf(candidate.url));
  return found<Sample>({ ...sample, chosen: chosen.pages, usual: [...usual, ...others.unchosenUrls] });
};

/** The pages that the user chose for the scan, and whether each was read. */
class ChosenPages {
  /** Pages that robots.txt allows, without the home page. */
  readonly allowed: readonly Candidate[];
  /** True by path if the page was read. */
  readonly #isRead = new Map<string, boolean>();
  readonly #keys: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor(
    { pages = [], origin }: ScanTarget,
    private readonly home: URL,
    isAllowed: (candidate: Pick<SampleCandidate, 'url'>) => boolean,
  ) {
    const asked = pages.map((page) => ({ path: pathOf(page), url: this.#atHomeOrigin(page) }));
    const distinct = distinctBy(asked, ({ url }) => pageKey(url, home)).slice(0, SCAN_LIMITS.chosenPagesMax);
    this.#keys = new Set(distinct.map(({ url }) => pageKey(url, home)));
    this.#hosts = new Set([origin.host, home.host]);
    const allowed = distinct.flatMap(({ path, url }, index) => {
      this.#isRead.set(path, false);
      const isHome = pageKey(url, home) === pageKey(home, home);
      const origin = distinct.length === 1 ? safeText`the chosen page` : safeText`chosen page ${index + 1}`;
      return !isHome && isAllowed({ url }) ? [{ url, path, origin }] : [];
    });
    // Some checks use only the first pages, so the order must not depend on the user's.
    this.allowed = allowed.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  get pages(): readonly ChosenPage[] {
    return Array.from(this.#isRead, ([path, isRead]) => ({ path, came: isRead ? 'read' : 'unread' }));
  }

  has(url: URL): boolean {
    return this.#keys.has(pageKey(url, this.home));
  }

  /** True if the URL is on the scanned host or the home page's final host. */
  isOnOwnHost({ host }: URL): boolean {
    return this.#hosts.has(host);
  }

  /** Does nothing for a page that was not chosen. */
  markRead(path: string | undefined): void {
    if (path !== undefined) this.#isRead.set(path, true);
  }

  /** Uses the scheme and host that the home page answered on. */
  #atHomeOrigin(page: URL): URL {
    return isSameHost(page, this.home) ? new URL(this.home.origin + page.pathname + page.search) : page;
  }
}

/** Fetches candidates in batches of as many as are still needed, and stores those that are pages, in order. */
class PageFetcher {
  readonly pages: SamplePage[] = [];
  /** Final URLs of pages that the user did not choose. */
  readonly unchosenUrls: URL[] = [];
  readonly #finals = new Map<string, URL>();
  readonly #seen: Set<string>;
  #triesLeft: number;

  constructor(
    private readonly context: CollectContext,
    private readonly home: Home,
    private readonly chosen: ChosenPages,
  ) {
    this.#seen = new Set([withoutFragment(home.url)]);
    this.#triesLeft = SCAN_LIMITS.otherPagesTriedMax + chosen.allowed.length;
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

  async #fetchPage(candidate: Candidate): Promise<NewPage | null> {
    return this.#readPage(await this.context.visit.fetch(candidate.url, { bodyBytesMax: PAGE_BYTES_MAX }), candidate);
  }

  #readPage(fetched: Fetched, { origin, path }: Candidate): NewPage | null {
    if ('failure' in fetched) return null;
    const { response } = fetched;
    if (detectChallenge(response) !== null || !isSameSite(response.url, this.home.url)) return null;
    if (path !== undefined && !this.chosen.isOnOwnHost(response.url)) return null;
    const facts = pageOf(response);
    if (facts === null) return null;
    const linkHeaders = parseLinkHeaders(response.headers.all('link'), response.url);
    return { origin, url: response.url, linkHeaders, facts };
  }

  #store({ url, path }: Candidate, page: NewPage | null): void {
    if (page === null) return;
    this.#finals.set(pageKey(url, this.home.url), page.url);
    if (path === undefined) this.unchosenUrls.push(page.url);
    if (this.#seen.has(withoutFragment(page.url))) return;
    this.chosen.markRead(path);
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
  return selectCandidates(file.kept, home).map(({ url, position }) => ({
    url,
    origin: safeText`entry ${position} of the sitemap`,
  }));
}
