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
import type { Fetched, ScanTarget } from '../client/visit.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import { pageOf } from '../probe/page.js';
import type { SampleCandidate } from '../probe/sample-candidates.js';
import { findSampleCandidates, selectCandidates } from '../probe/sample-candidates.js';
import { readableRobots } from '../artifacts/robots.js';

/** How many candidates are checked against robots.txt. */
const CANDIDATES_MAX = 30;

interface Candidate extends SampleCandidate {
  readonly origin: SafeText;
}

/** The home page and up to 3 internal HTML pages, chosen the same way each time. */
export const collectSample: Collector<'sample'> = async (context) => {
  const home = await context.evidence('home');
  if ('failed' in home) return home;
  const { page, url, linkHeaders } = home.ok;
  if (page === null) return lacking('NOT_APPLICABLE', describeNoPage(home.ok));

  const isOpen = await readOwnPolicy(context);
  const open: Candidate[] = askedPage(context.target, url).filter(isOpen);
  const disallowed: URL[] = [];
  for (const link of findSampleCandidates(page, url).slice(0, CANDIDATES_MAX)) {
    if (isOpen(link)) open.push({ ...link, origin: safeText`link ${link.position} of the home page` });
    else if (disallowed.length < SCAN_LIMITS.otherPagesMax) disallowed.push(link.url);
  }
  const others = new PageTaker(context, home.ok);
  await others.take(open);
  if (others.isShort) await others.take((await listSitemapCandidates(context, url)).filter(isOpen));

  const first: SamplePage = { position: 1, origin: safeText`home page`, url, linkHeaders, facts: page };
  return found<Sample>({ pages: [first, ...others.pages], disallowed });
};

/** The page that was named for the scan, by the scheme that the home page answers by; none where that is the home page anyway. */
function askedPage({ page }: ScanTarget, home: URL): Candidate[] {
  if (!page) return [];
  const url = new URL(page);
  if (url.host === home.host) url.protocol = home.protocol;
  if (withoutFragment(url) === withoutFragment(home)) return [];
  return [{ position: 0, url, origin: safeText`the page that was named` }];
}

/** Fetches candidates, as many at once as are still needed, and keeps those that are pages, in order. */
class PageTaker {
  readonly pages: SamplePage[] = [];
  readonly #seen: Set<string>;
  #triesLeft: number = SCAN_LIMITS.otherPagesTriedMax;

  constructor(
    private readonly context: CollectContext,
    private readonly home: Home,
  ) {
    this.#seen = new Set([withoutFragment(home.url)]);
  }

  get isShort(): boolean {
    return this.pages.length < SCAN_LIMITS.otherPagesMax;
  }

  async take(candidates: readonly Candidate[]): Promise<void> {
    let next = 0;
    while (this.isShort && this.#triesLeft > 0 && next < candidates.length) {
      const batch = candidates.slice(
        next,
        next + Math.min(SCAN_LIMITS.otherPagesMax - this.pages.length, this.#triesLeft),
      );
      next += batch.length;
      this.#triesLeft -= batch.length;
      for (const page of await Promise.all(batch.map((candidate) => this.#fetchPage(candidate)))) this.#keep(page);
    }
  }

  #fetchPage({ url, origin }: Candidate): Promise<Omit<SamplePage, 'position'> | null> {
    return this.context.visit.read(url, { bodyBytesMax: PAGE_BYTES_MAX }, (fetched) => this.#readPage(fetched, origin));
  }

  async #readPage(fetched: Fetched, origin: SafeText): Promise<Omit<SamplePage, 'position'> | null> {
    if ('failure' in fetched || detectChallenge(fetched.response) !== null) return null;
    const { response } = fetched;
    const facts = isSameSite(response.url, this.home.url) ? await pageOf(response) : null;
    return (
      facts && {
        origin,
        url: response.url,
        linkHeaders: parseLinkHeaders(response.headers.all('link'), response.url),
        facts,
      }
    );
  }

  #keep(page: Omit<SamplePage, 'position'> | null): void {
    if (page === null || this.#seen.has(withoutFragment(page.url))) return;
    this.#seen.add(withoutFragment(page.url));
    this.pages.push({ ...page, position: this.pages.length + 2 });
  }
}

/** Whether robots.txt lets us fetch an address, by every reading; everything is open if it could not be read. */
async function readOwnPolicy(context: CollectContext): Promise<(candidate: SampleCandidate) => boolean> {
  const file = readableRobots(valueOf(await context.evidence('robots')));
  return ({ url }) => file === null || isAllowedByAll(file.robots, SCANNER_TOKEN, url);
}

/** Pages that the sitemap names; used only if the home page links too few. */
async function listSitemapCandidates(context: CollectContext, home: URL): Promise<Candidate[]> {
  const file = valueOf(await context.evidence('sitemap'))?.found?.file;
  if (!file || file.kind === 'index') return [];
  return selectCandidates(file.kept, home).map((entry) => ({
    ...entry,
    origin: safeText`entry ${entry.position} of the sitemap`,
  }));
}
