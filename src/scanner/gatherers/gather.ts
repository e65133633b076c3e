import { setImmediate } from 'node:timers/promises';
import {
  type Evidence,
  type EvidenceKind,
  type EvidenceMap,
  type EvidenceSet,
  lacking,
} from '../artifacts/evidence.js';
import { safeText } from '../artifacts/safe-text.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { collectA2a } from './a2a.js';
import { collectAgentReplies } from './agent-replies.js';
import { collectApiMetadata } from './api-metadata.js';
import { collectCatalogs } from './catalogs.js';
import { collectHome, collectUnknownAddress, collectRobots } from './home.js';
import { collectLlmsLinks, collectLlms, collectLlmsDocument, collectAnnouncedLlms } from './llms.js';
import { collectMarkdown } from './markdown.js';
import { collectMcp } from './mcp.js';
import { collectPreferences, collectForwardSignals } from './preferences.js';
import { collectSample } from './sample.js';
import { collectSitemapEntries } from './sitemap-entries.js';
import { collectSitemap } from './sitemaps.js';
import { collectSameAs, collectStructuredData } from './structured-data.js';

/** The collector of each evidence kind, in the order of EvidenceMap. */
export const COLLECTORS = {
  home: collectHome,
  unknownAddress: collectUnknownAddress,
  robots: collectRobots,
  sample: collectSample,
  forwardSignals: collectForwardSignals,
  preferences: collectPreferences,
  llms: collectLlms,
  announcedLlms: collectAnnouncedLlms,
  llmsDocument: collectLlmsDocument,
  llmsLinks: collectLlmsLinks,
  agentReplies: collectAgentReplies,
  sitemap: collectSitemap,
  sitemapEntries: collectSitemapEntries,
  structuredData: collectStructuredData,
  sameAs: collectSameAs,
  catalogs: collectCatalogs,
  mcp: collectMcp,
  a2a: collectA2a,
  apiMetadata: collectApiMetadata,
  markdown: collectMarkdown,
} satisfies { readonly [K in EvidenceKind]: Collector<K> };

const OUT_OF_TIME = lacking(
  'UNDETERMINED',
  safeText`The run reached its time limit before this was fetched, because the site is slow. Run again later.`,
);

/**
 * Gathers these kinds of evidence in parallel; a kind that depends on another awaits it through the context. A kind that is missing when
 * `deadline` aborts is replaced by a shortfall, so that the run still completes.
 * @param onSettled called for each kind with its final evidence
 */
export async function gather(
  context: CollectContext,
  kinds: readonly EvidenceKind[],
  deadline: AbortSignal,
  onSettled: <K extends EvidenceKind>(kind: K, evidence: Evidence<EvidenceMap[K]>) => void = () => undefined,
): Promise<Partial<EvidenceSet>> {
  const outOfTime = outOfTimeAfter(deadline);
  const collect = async <K extends EvidenceKind>(kind: K): Promise<[K, Evidence<EvidenceMap[K]>]> => {
    const evidence = await Promise.race([context.evidence(kind), outOfTime]);
    onSettled(kind, evidence);
    return [kind, evidence];
  };
  return Object.fromEntries(await Promise.all(kinds.map(collect)));
}

/** Turns of the event loop after the deadline, in which collectors finish with what they have read so far. */
const LAST_TURNS = 200;

/** Resolves after the deadline, which also aborts when the visit is closed. */
async function outOfTimeAfter(deadline: AbortSignal): Promise<typeof OUT_OF_TIME> {
  if (!deadline.aborted) await new Promise((resolve) => deadline.addEventListener('abort', resolve));
  for (let turn = 0; turn < LAST_TURNS; turn += 1) await setImmediate();
  return OUT_OF_TIME;
}
