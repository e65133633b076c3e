import { found } from '../artifacts/evidence.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { StructuredPage, SameAsLink } from '../artifacts/structured-data.js';
import { readJsonLd } from '../parsers/structured-data/json-ld.js';
import { readShownWords } from '../parsers/structured-data/words.js';
import type { Collector, CollectContext } from '../probe/context.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { PageEntities } from '../parsers/structured-data/entities.js';
import { findIdentities, blocksBots, readSameAs, type SameAsValue } from '../parsers/structured-data/identity.js';
import type { FetchOptions } from '../client/visit.js';

/** Parses the JSON-LD of the sampled pages; fetches nothing. */
export const collectStructuredData: Collector<'structuredData'> = async (context) => {
  const sample = await context.evidence('sample');
  if ('failed' in sample) return sample;
  const [home, ...others] = sample.ok.pages;
  return found({ pages: [readPage(home), ...others.map(readPage)] });
};

function readPage(page: SamplePage): StructuredPage {
  const { blocks, nodes } = readJsonLd(page.facts.jsonLd, page.url);
  return { page, blocks, nodes, shownWords: readShownWords(page.facts, nodes) };
}

/** Requests to external hosts are limited, so retries wait until every link had its first try. */
const ONE_TRY = { priority: 'sameAs', attempts: 'once' } as const;
const ALL_TRIES = { priority: 'sameAs' } as const;

/** Follows the first sameAs links of the home page's identity node, except on hosts that block all bots. */
export const collectSameAs: Collector<'sameAs'> = async (context) => {
  const structuredData = await context.evidence('structuredData');
  if ('failed' in structuredData) return structuredData;
  const [home] = structuredData.ok.pages;
  const values = readSameAs(findIdentities(PageEntities.of(home)));
  const followable = values.filter(({ blocksBots }) => !blocksBots);
  type Link = SameAsValue & Pick<SameAsLink, 'state'>;
  const judgeUnknown = (links: readonly Link[], judge: (link: Link) => Promise<SameAsLink['state']>): Promise<Link[]> =>
    Promise.all(
      links.map(async (link) => ({ ...link, state: link.state === 'unknown' ? await judge(link) : link.state })),
    );
  const unknown = followable.slice(0, SCAN_LIMITS.sameAsMax).map((value) => ({ ...value, state: 'unknown' as const }));
  const tried = await judgeUnknown(unknown, (link) => follow(link, context, ONE_TRY));
  const judged = await judgeUnknown(tried, async (link) =>
    (await isRefusedEverywhere(link, context)) ? 'refused' : 'unknown',
  );
  const checked = await judgeUnknown(judged, (link) => follow(link, context, ALL_TRIES));
  return found({
    total: values.length,
    skippedCount: values.length - followable.length,
    checked: checked.map(({ position, state }) => ({ position, state })),
  });
};

async function follow(
  { url }: SameAsValue,
  context: CollectContext,
  options: FetchOptions,
): Promise<SameAsLink['state']> {
  if (url === null) return 'malformed';
  if (context.isPrivateLink(url)) return 'private';
  const state = await context.probeLink(url, options);
  return state === 'dead' && (await leadsToBlockingHost(url, context)) ? 'unknown' : state;
}

/** Statuses with which hosts refuse bots; 999 is LinkedIn's. */
const REFUSALS: ReadonlySet<number | null> = new Set([403, 429, 999]);

/** True if the link's host refuses this scanner even at a path that does not exist: its response says nothing about the link. */
async function isRefusedEverywhere({ url }: SameAsValue, context: CollectContext): Promise<boolean> {
  if (url === null) return false;
  const fetched = await context.visit.fetch(url, ONE_TRY);
  if ('failure' in fetched || !REFUSALS.has(fetched.response.status)) return false;
  return REFUSALS.has(await context.controlStatus(fetched.response.url, ONE_TRY));
}

/** True if redirects led to a host that blocks all bots. Uses the cached response. */
async function leadsToBlockingHost(url: URL, { visit }: CollectContext): Promise<boolean> {
  const fetched = await visit.fetch(url, ONE_TRY);
  return 'response' in fetched && blocksBots(fetched.response.url);
}
