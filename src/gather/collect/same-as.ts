import { found } from '../../domain/evidence.js';
import type { SameAsLink } from '../../domain/evidence/structured-data.js';
import { schemaOrg } from '../../domain/schema-org.js';
import { PageEntities } from '../../parse/structured-data/entities.js';
import { findIdentities } from '../../parse/structured-data/identity.js';
import type { SameAsValue } from '../../parse/structured-data/same-as.js';
import { readSameAs } from '../../parse/structured-data/same-as.js';
import type { CollectContext, Collector } from './collector.js';

/** sameAs links of the identity node that are followed. */
const FOLLOWED_MAX = 5;

/** Follows the first sameAs links of the home page's identity node that lead off the hosts which answer no bot. */
export const collectSameAs: Collector<'sameAs'> = async (context) => {
  const structuredData = await context.evidence('structuredData');
  if ('failed' in structuredData) return structuredData;
  const [home] = structuredData.ok.pages;
  const values = readSameAs(findIdentities(new PageEntities(home), schemaOrg()));
  const open = values.filter(({ isWalled }) => !isWalled);
  return found({
    total: values.length,
    walledCount: values.length - open.length,
    checked: await Promise.all(open.slice(0, FOLLOWED_MAX).map((value) => follow(value, context))),
  });
};

async function follow({ position, url }: SameAsValue, context: CollectContext): Promise<SameAsLink> {
  return { position, state: url === null ? 'malformed' : await context.probeLink(url, { priority: 'sameAs' }) };
}
