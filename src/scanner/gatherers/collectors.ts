import type { EvidenceKind } from '../artifacts/evidence.js';
import type { Collector } from '../probe/context.js';
import { collectA2a } from './a2a.js';
import { collectAgentReplies } from './agent-replies.js';
import { collectApiMetadata } from './api-metadata.js';
import { collectCatalogs } from './catalogs.js';
import { collectHome, collectUnknownAddress, collectRobots } from './home.js';
import { collectLlmsLinks, collectLlms, collectLlmsDocument, collectAnnouncedLlms } from './llms.js';
import { collectMarkdown } from './markdown.js';
import { collectMcp } from './mcp.js';
import { collectPreferences } from './preferences.js';
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
