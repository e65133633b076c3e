import { type ChosenOutcome, type ChosenPage, isSameHost, pageKey, pathOf } from '../artifacts/chosen-pages.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import type { Home, Sample, SamplePage } from '../artifacts/pages.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { describeNoPage } from '../artifacts/no-page.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { safeText } from '../artifacts/safe-text.js';
import { isAllowedByAll } from '../parsers/robots-readings.js';
import { PAGE_BYTES_MAX } from '../probe/baseline.js';
import { parseLinkHeaders } from '../parsers/header-values.js';
import { detectChallenge } from '../client/challenge.js';
import { distinctBy } from '../../net/keyed.js';
import type { Fetched, ScanTarget } from '../client/visit.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { pageOf } from '../probe/page.js';
import type { SampleCandidate } from '../probe/sample-candidates.js';
import { findSampleCandidates, selectCandidates } from '../probe/sample-candidates.js';
import { readableRobots } from '../artifacts/robots.js';

/** How many candidates are checked against robots.txt. */
const CANDIDATES_MAX = 30;

interface Candidate extends Pick<SampleCandidate, 'url'> {
  readonly origin: SafeText;
  /** Of a page that was chosen. */
  readonly path?: string;
}

type NewPage = Omit<SamplePage, 'position'>;

/** The home page and up to 3 internal HTML pages, found the same way each time; up to 5 that were chosen come first, and take their places. */
export const collectSample: Collector<'sample'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const { page, url, linkHeaders } = home.ok;
  if (page === null) return lacking('NOT_APPLICABLE', describeNoPage(home.ok));

  const isOpen = await readOwnPolicy(context);
  const chosen = new ChosenPages(context.target, url, isOpen);
  const open: Candidate[] = [];
  const disallowed: URL[] = [];
  for (const link of findSampleCandidates(page, url).slice(0, CANDIDATES_MAX)) {
    if (isOpen(link)) open.push({ url: link.url, origin: safeText`link ${link.position} of the home page` });
    else if (disallowed.length < SCAN_LIMITS.otherPagesMax) disallowed.push(link.url);
  }
  const isUnchosen = (candidate: Candidate): boolean => !chosen.has(candidate.url);
  const others = new PageTaker(context, home.ok, chosen);
  await others.take([...chosen.open, ...open.filter(isUnchosen)]);
  if (others.isShort || open.length < SCAN_LIMITS.otherPagesMax) {
    const entries = (await listSitemapCandidates(context, url)).filter((entry) => isOpen(entry));
    await others.take(entries.filter(isUnchosen));
    open.push(...entries);
  }

  const first: SamplePage = { position: 1, origin: safeText`home page`, url, linkHeaders, facts: page };
  const sample = { pages: [first, ...others.pages], disallowed } satisfies Sample;
  if (chosen.pages.length === 0) return found<Sample>(sample);
  const usual = open.slice(0, SCAN_LIMITS.otherPagesMax).map((candidate) => others.finalOf(candidate.url));
  return found<Sample>({ ...sample, chosen: chosen.pages, usual: [...usual, ...others.ownUrls] });
};

/** The pages that were chosen for the scan, by the scheme that the home page answers by, and what comes of them. */
class ChosenPages {
  /** Those that may be asked for. */
  readonly open: readonly Candidate[];
  readonly #outcomes = new Map<string, ChosenPage>();
  readonly #keys: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor(
    { pages = [], origin }: ScanTarget,
    private readonly home: URL,
    isOpen: (candidate: Pick<SampleCandidate, 'url'>) => boolean,
  ) {
    const asked = pages.map((page) => ({ path: pathOf(page), url: this.#asAnswered(page) }));
    const distinct = distinctBy(asked, ({ url }) => pageKey(url, home)).slice(0, SCAN_LIMITS.chosenPagesMax);
    this.#keys = new Set(distinct.map(({ url }) => pageKey(url, home)));
    this.#hosts = new Set([origin.host, home.host]);
    const open = distinct.flatMap(({ path, url }, index) => {
      const isHome = pageKey(url, home) === pageKey(home, home);
      const came = isHome ? 'same' : isOpen({ url }) ? null : 'barred';
      // Until an answer comes.
      this.tell(path, came ?? 'unanswered');
      const origin = distinct.length === 1 ? safeText`the chosen page` : safeText`chosen page ${index + 1}`;
      return came === null ? [{ url, path, origin }] : [];
    });
    // In whichever order they were chosen, some checks look at the first ones alone.
    this.open = open.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  get pages(): readonly ChosenPage[] {
    return [...this.#outcomes.values()];
  }

  has(url: URL): boolean {
    return this.#keys.has(pageKey(url, this.home));
  }

  /** Whether an answer comes from where it was chosen, be it by the host to which the home page leads. */
  isAtHome({ host }: URL): boolean {
    return this.#hosts.has(host);
  }

  /** Does nothing for a page that was not chosen. */
  tell(path: string | undefined, came: ChosenOutcome, status?: number): void {
    if (path !== undefined) this.#outcomes.set(path, { path, came, ...(status !== undefined && { status }) });
  }

  #asAnswered(page: URL): URL {
    return isSameHost(page, this.home) ? new URL(this.home.origin + page.pathname + page.search) : page;
  }
}

/** Fetches candidates, as many at once as are still needed, and keeps those that are pages, in order. */
class PageTaker {
  readonly pages: SamplePage[] = [];
  /** Final URLs of those that were not chosen. */
  readonly ownUrls: URL[] = [];
  readonly #finals = new Map<string, URL>();
  readonly #seen: Set<string>;
  #triesLeft: number;

  constructor(
    private readonly context: CollectContext,
    private readonly home: Home,
    private readonly chosen: ChosenPages,
  ) {
    this.#seen = new Set([withoutFragment(home.url)]);
    this.#triesLeft = SCAN_LIMITS.otherPagesTriedMax + chosen.open.length;
  }

  get isShort(): boolean {
    return this.pages.length < SCAN_LIMITS.otherPagesMax;
  }

  /** Where a page was that was asked for; else its address. */
  finalOf(url: URL): URL {
    return this.#finals.get(pageKey(url, this.home.url)) ?? url;
  }

  /** @param candidates the chosen ones first: they are asked for all at once, however many they are */
  async take(candidates: readonly Candidate[]): Promise<void> {
    const chosenCount = candidates.filter(({ path }) => path !== undefined).length;
    let next = 0;
    while (this.isShort && this.#triesLeft > 0 && next < candidates.length) {
      const needed = Math.max(SCAN_LIMITS.otherPagesMax - this.pages.length, chosenCount - next);
      const batch = candidates.slice(next, next + Math.min(needed, this.#triesLeft));
      next += batch.length;
      this.#triesLeft -= batch.length;
      const pages = await Promise.all(batch.map((candidate) => this.#fetchPage(candidate)));
      for (const [index, candidate] of batch.entries()) this.#keep(candidate, pages[index] ?? null);
    }
  }

  #fetchPage(candidate: Candidate): Promise<NewPage | null> {
    const { url } = candidate;
    return this.context.visit.read(url, { bodyBytesMax: PAGE_BYTES_MAX }, (fetched) =>
      this.#readPage(fetched, candidate),
    );
  }

  async #readPage(fetched: Fetched, { origin, path }: Candidate): Promise<NewPage | null> {
    const leave = (came: ChosenOutcome, status?: number): null => {
      this.chosen.tell(path, came, status);
      return null;
    };
    if ('failure' in fetched) return leave('unanswered');
    const { response } = fetched;
    if (detectChallenge(response) !== null) return leave('challenged');
    if (!isSameSite(response.url, this.home.url)) return leave('elsewhere');
    if (path !== undefined && !this.chosen.isAtHome(response.url)) return leave('elsewhere');
    const facts = await pageOf(response);
    const isGood = response.status >= 200 && response.status <= 299;
    if (facts === null) return isGood ? leave('other') : leave('status', response.status);
    const linkHeaders = parseLinkHeaders(response.headers.all('link'), response.url);
    return { origin, url: response.url, linkHeaders, facts };
  }

  #keep({ url, path }: Candidate, page: NewPage | null): void {
    if (page === null) return;
    this.#finals.set(pageKey(url, this.home.url), page.url);
    if (path === undefined) this.ownUrls.push(page.url);
    const isKnown = this.#seen.has(withoutFragment(page.url));
    this.chosen.tell(path, isKnown ? 'same' : 'read');
    if (isKnown) return;
    this.#seen.add(withoutFragment(page.url));
    this.pages.push({ ...page, position: this.pages.length + 2 });
  }
}

/** Whether robots.txt lets us fetch an address, by every reading; everything is open if it could not be read. */
async function readOwnPolicy(context: CollectContext): Promise<(candidate: Pick<SampleCandidate, 'url'>) => boolean> {
  const file = readableRobots(valueOf(await context.evidence('robots')));
  return ({ url }) => file === null || isAllowedByAll(file.robots, SCANNER_TOKEN, url);
}

/** Pages that the sitemap names; used only if the home page links too few. */
async function listSitemapCandidates(context: CollectContext, home: URL): Promise<Candidate[]> {
  const file = valueOf(await context.evidence('sitemap'))?.found?.file;
  if (!file || file.kind === 'index') return [];
  return selectCandidates(file.kept, home).map(({ url, position }) => ({
    url,
    origin: safeText`entry ${position} of the sitemap`,
  }));
}
