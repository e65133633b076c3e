import { valueOf } from '../artifacts/evidence.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import { isSameSite, withoutFragment } from '../artifacts/site-address.js';
import { rankApiDocs, showsApiDocs } from '../parsers/api-docs.js';
import { decodeBody } from '../parsers/text.js';
import { pageOf } from '../probe/page.js';
import type { CollectContext } from '../probe/collector.js';

/** How many links are opened to see whether they lead to documentation of an API. */
const OPENED_MAX = 2;
/** The head and the first part of a page say what it is. */
const START_BYTES = 65_536;

/** Documentation of an API that the site offers to its visitors. */
export interface ApiDocs {
  /** The web addresses that it links to. */
  readonly links: readonly URL[];
}

/**
 * The documentation of the site's API that a sampled page or llms.txt links to, or null. A name such as /docs/api suffices if the
 * link works; behind /docs or /api there may be anything, so what is there must show what it is.
 */
export async function readApiDocs(context: CollectContext): Promise<ApiDocs | null> {
  let isFound = false;
  const links: URL[] = [];
  for (const { url, isCertain } of await listCandidates(context)) {
    const read = await context.read(url, 'page', { attempts: 'once' });
    if ('failed' in read || read.ok.kind !== 'present') continue;
    const response = read.ok.value;
    const { text } = await decodeBody(response.body.subarray(0, START_BYTES), null);
    if (!isCertain && !showsApiDocs(text)) continue;
    isFound = true;
    const page = await pageOf(response);
    for (const link of [...(page?.headLinks ?? []), ...(page?.links ?? [])]) if (link.url) links.push(link.url);
  }
  return isFound ? { links } : null;
}

interface Candidate {
  readonly url: URL;
  readonly isCertain: boolean;
}

/** The links of pages and llms.txt that may lead to documentation of an API: those whose names leave no doubt first. */
async function listCandidates(context: CollectContext): Promise<Candidate[]> {
  const [home, sample, llms] = await Promise.all([
    context.evidence('home'),
    context.evidence('sample'),
    context.evidence('llmsDocument'),
  ]);
  const pages = valueOf(sample)?.pages ?? [];
  const headers = [...(valueOf(home)?.linkHeaders ?? []), ...pages.flatMap(({ linkHeaders }) => linkHeaders)];
  const named = [...headers, ...pages.flatMap(({ facts }) => facts.headLinks)];
  const links = [...(valueOf(llms)?.links ?? []), ...pages.flatMap(({ facts }) => facts.links)];
  const ranked = new Map<string, Candidate>();
  const add = (url: URL | null, rank: ReturnType<typeof rankApiDocs>): void => {
    if (url === null || rank === 'no' || !isSameSite(url, context.target.origin)) return;
    const key = withoutFragment(url);
    if (!ranked.has(key)) ranked.set(key, { url: new URL(key), isCertain: rank === 'certain' });
  };
  const yielder = new EventLoopYielder();
  for (const { rel, url } of named) add(url, rel.includes('service-doc') ? 'certain' : 'no');
  for (const { url } of links) {
    if (yielder.isDue) await yielder.yieldNow();
    if (url !== null) add(url, rankApiDocs(url));
  }
  const candidates = [...ranked.values()];
  const ordered = [
    ...candidates.filter(({ isCertain }) => isCertain),
    ...candidates.filter(({ isCertain }) => !isCertain),
  ];
  return ordered.slice(0, OPENED_MAX);
}
