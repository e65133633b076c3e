import type { EvidenceKind } from '../artifacts/evidence.js';
import type { Collector } from '../probe/context.js';
import { collectAgentReplies } from './agent-replies.js';
import { collectA2a } from './a2a.js';
import { collectAnnouncedLlms } from './announced-llms.js';
import { collectApiMetadata } from './api-metadata.js';
import { collectCatalogs } from './catalogs.js';
import { collectForwardSignals } from './forward-signals.js';
import { collectHome, collectUnknownAddress } from './home.js';
import { collectLlms, collectLlmsDocument } from './llms.js';
import { collectLlmsLinks } from './llms-links.js';
import { collectPreferences } from './preferences.js';
import { collectRobots } from './robots.js';
import { collectSameAs, collectStructuredData } from './structured-data.js';
import { collectSample } from './sample.js';
import { collectSitemapEntries } from './sitemap-entries.js';
import { collectSitemap } from './sitemaps.js';
import { collectMarkdown } from './markdown.js';
import { collectMcp } from './mcp.js';

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
