import { found } from '../artifacts/evidence.js';
import type { SameAsLink } from '../artifacts/structured-data.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { PageEntities } from '../parsers/structured-data/entities.js';
import { findIdentities } from '../parsers/structured-data/identity.js';
import type { SameAsValue } from '../parsers/structured-data/same-as.js';
import { isWalled, readSameAs } from '../parsers/structured-data/same-as.js';
import type { CollectContext, Collector } from '../probe/collector.js';

const FETCH_OPTIONS = { priority: 'sameAs' } as const;

/** Follows the first sameAs links of the home page's identity node, skipping hosts that answer no bot. */
export const collectSameAs: Collector<'sameAs'> = async (context) => {
  const structuredData = await context.evidence('structuredData');
  if ('failed' in structuredData) return structuredData;
  const [home] = structuredData.ok.pages;
  const values = readSameAs(findIdentities(PageEntities.of(home)));
  const open = values.filter(({ isWalled }) => !isWalled);
  return found({
    total: values.length,
    walledCount: values.length - open.length,
    checked: await Promise.all(open.slice(0, SCAN_LIMITS.sameAsMax).map((value) => follow(value, context))),
  });
};

async function follow({ position, url }: SameAsValue, context: CollectContext): Promise<SameAsLink> {
  if (url === null) return { position, state: 'malformed' };
  if (context.isPrivateLink(url)) return { position, state: 'private' };
  const state = await context.probeLink(url, FETCH_OPTIONS);
  return { position, state: state === 'dead' && (await endsAtWall(url, context)) ? 'unknown' : state };
}

/**
 * Whether redirects led to a host whose answers to bots are meaningless. Uses the remembered answer; nothing is fetched again.
 */
async function endsAtWall(url: URL, { visit }: CollectContext): Promise<boolean> {
  const fetched = await visit.fetch(url, FETCH_OPTIONS);
  return 'response' in fetched && isWalled(fetched.response.url);
}
