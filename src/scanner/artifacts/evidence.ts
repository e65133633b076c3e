import type { AgentReplies } from './agent-replies.js';
import type { AgentSkills } from './agent-skills.js';
import type { AnnouncedLlms, LlmsDocument, LlmsFile, LlmsLinks } from './llms.js';
import type { A2aDiscovery, AgentCatalogs, ApiMetadata, McpDiscovery } from './manifests.js';
import type { MarkdownNegotiation } from './markdown.js';
import type { ForwardSignals, Home, Sample } from './pages.js';
import type { Preferences } from './preferences.js';
import type { Outcome } from './resource.js';
import type { RobotsFile } from './robots.js';
import type { SitemapEntries, SitemapSearch } from './sitemaps.js';
import type { SameAsLinks, StructuredData } from './structured-data.js';
import { type SafeText, safeText } from './safe-text.js';

/** Every kind of evidence that a check can need, and its value. */
export interface EvidenceMap {
  /** The home page as answered, even if it is not HTML. */
  home: Home;
  /** robots.txt where the site keeps its files, parsed. */
  robots: Outcome<RobotsFile>;
  /** The home page and up to 3 internal HTML pages; not applicable if the home page is not HTML. */
  sample: Sample;
  /** Signals that no check judges yet: from `home`, `agentSkills` and the start of llms-full.txt. */
  forwardSignals: ForwardSignals;
  /** The index of agent skills, and whether its first skill is the file that it says; waits for `home`. */
  agentSkills: AgentSkills;
  /** Preferences for AI use that are not part of robots.txt or of the home page's Content-Signal and Content-Usage. */
  preferences: Preferences;
  /** The llms.txt at the root, else the first that pages announce and that can be read. */
  llms: Outcome<LlmsFile>;
  /** Further llms.txt files that the pages of `home` and `sample` announce. */
  announcedLlms: readonly AnnouncedLlms[];
  /** The parsed llms.txt; not applicable unless its body could be read. */
  llmsDocument: LlmsDocument;
  /** Where a sample of the first-party links of `llmsDocument` leads. */
  llmsLinks: LlmsLinks;
  /** How `home` and `sample` are answered under the names of agents that `robots` admits; only where ownership is verified. */
  agentReplies: AgentReplies;
  /** The first sitemap that works: of those that `robots` names, else at a default location. */
  sitemap: SitemapSearch;
  /** A sample of what `sitemap` lists, as answered. */
  sitemapEntries: SitemapEntries;
  /** The JSON-LD of the pages of `sample`. */
  structuredData: StructuredData;
  /** Where the sameAs links of the identity in `structuredData` lead. */
  sameAs: SameAsLinks;
  /** The catalogs of resources for agents (ARD, AI Catalog): at the well-known addresses, and where `robots` and `home` name them. */
  catalogs: AgentCatalogs;
  /** MCP server cards, and the endpoints that they, `catalogs` and `home` name. */
  mcp: McpDiscovery;
  /** A2A agent cards: at the well-known addresses, else where `home` or `catalogs` name them; with their first interface. */
  a2a: A2aDiscovery;
  /** API catalog, OpenAPI, and OAuth metadata: well-known, or named by pages, llms.txt, `mcp` and `a2a`. */
  apiMetadata: ApiMetadata;
  /** How the pages of `sample` are answered to a client that asks for Markdown. */
  markdown: MarkdownNegotiation;
}
export type EvidenceKind = keyof EvidenceMap;

/** Why evidence is missing, as the result of every check that needs it. */
export interface Shortfall {
  readonly result: 'UNDETERMINED' | 'NOT_APPLICABLE';
  readonly detail: SafeText;
  /** The site answered without success, or broke off before it answered: that does not show whether anything is there. */
  readonly isUnsuccessful?: boolean;
}

/** Evidence is a value or a reason. */
export type Evidence<T> = { readonly ok: T } | { readonly failed: Shortfall };

export function found<T>(ok: T): Evidence<T> {
  return { ok };
}

export function lacking(result: Shortfall['result'], detail: SafeText): { readonly failed: Shortfall } {
  return { failed: { result, detail } };
}

/** The shortfall of one file: why it could not be read, or is not judged. */
export function shortfallOf(name: SafeText, { result, detail }: Shortfall): { readonly failed: Shortfall } {
  return lacking(
    result,
    result === 'NOT_APPLICABLE'
      ? safeText`${name} is not judged: ${detail}.`
      : safeText`${name} could not be checked: ${detail}.`,
  );
}

/** The value, or null if the evidence is a reason: for what a judge only `uses`. */
export function valueOf<T>(evidence: Evidence<T>): T | null {
  return 'ok' in evidence ? evidence.ok : null;
}

/** Whether a resource leads to where the whole site has moved: for nothing else is a single one not applicable. */
export function isMoved(evidence: Evidence<unknown>): boolean {
  return 'failed' in evidence && evidence.failed.result === 'NOT_APPLICABLE';
}

/** All evidence of one run. */
export type EvidenceSet = { readonly [K in EvidenceKind]: Evidence<EvidenceMap[K]> };
