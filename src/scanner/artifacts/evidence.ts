import type { AgentReplies } from './agent-replies.js';
import type { AnnouncedLlms, LlmsDocument, LlmsFile, LlmsLinks } from './llms.js';
import type { A2aDiscovery, AgentCatalogs, ApiMetadata, McpDiscovery } from './manifests.js';
import type { MarkdownNegotiation } from './markdown.js';
import type { FetchFailure } from '../../net/failure.js';
import type { Home, Sample, Preferences } from './pages.js';
import type { KnownOutcome, Outcome } from './resource.js';
import type { RobotsOutcome } from './robots.js';
import type { SitemapEntries, SitemapSearch } from './sitemaps.js';
import type { SameAsLinks, StructuredData } from './structured-data.js';
import { type SafeText, safeText } from './safe-text.js';

export interface EvidenceMap {
  /** The home page as served, even if it is not HTML. */
  home: Home;
  /** Status for a URL that cannot exist on the site; null without a response or if the site has moved. */
  unknownAddress: number | null;
  robots: RobotsOutcome;
  /** The home page and up to 3 internal HTML pages; not applicable if the home page is not HTML. */
  sample: Sample;
  /** Preferences for AI use besides those in robots.txt and the home page's Content-Signal and Content-Usage. */
  preferences: Preferences;
  /** The llms.txt at the root, else the first readable one that pages announce. */
  llms: KnownOutcome<LlmsFile>;
  /** Further llms.txt files that the pages of `home` and `sample` announce. */
  announcedLlms: readonly AnnouncedLlms[];
  /** Not applicable unless the body of `llms` could be read. */
  llmsDocument: LlmsDocument;
  llmsLinks: LlmsLinks;
  /** Responses to requests under the names of agents that `robots` allows. Only if ownership is verified. */
  agentReplies: AgentReplies;
  sitemap: SitemapSearch;
  sitemapEntries: SitemapEntries;
  structuredData: StructuredData;
  /** The sameAs links of the identity in `structuredData`. */
  sameAs: SameAsLinks;
  /** Catalogs at the well-known addresses, and those that `robots` and `home` name. */
  catalogs: AgentCatalogs;
  /** MCP server cards, and the endpoints that they, `catalogs` and `home` name. */
  mcp: McpDiscovery;
  /** Agent cards at the well-known addresses, else where `home` or `catalogs` name them, and their first interfaces. */
  a2a: A2aDiscovery;
  /** API catalog, OpenAPI, and OAuth metadata: well-known, or named by pages, llms.txt, `mcp` and `a2a`. */
  apiMetadata: ApiMetadata;
  /** Responses of the pages of `sample` to a client that asks for Markdown. */
  markdown: MarkdownNegotiation;
}
export type EvidenceKind = keyof EvidenceMap;

/** Why evidence is missing: the result of every check that needs it. */
export interface MissingEvidence {
  readonly result: 'UNDETERMINED' | 'NOT_APPLICABLE';
  readonly detail: SafeText;
  /** The home page's failure, if it leaves everything undetermined. */
  readonly gap?: HomePageFailure;
}

/** A failed home page, which says nothing about the site. */
export type HomePageFailure = 'challenge' | { readonly status: number } | { readonly failure: FetchFailure };

/** A value, or why it is missing. */
export type Evidence<T> = { readonly ok: T } | { readonly failed: MissingEvidence };

export function found<T>(ok: T): Evidence<T> {
  return { ok };
}

export function missing(result: MissingEvidence['result'], detail: SafeText): { readonly failed: MissingEvidence } {
  return { failed: { result, detail } };
}

/** Returns the outcome as evidence, which is missing if it is unknown. */
export function evidenceOf<T>(name: SafeText, outcome: Outcome<T>): Evidence<KnownOutcome<T>> {
  return outcome.kind === 'unknown'
    ? missing('UNDETERMINED', safeText`${name} could not be checked: ${outcome.detail}.`)
    : found(outcome);
}

/** Returns the value, or null if the evidence is missing. */
export function valueOf<T>(evidence: Evidence<T>): T | null {
  return 'ok' in evidence ? evidence.ok : null;
}

export type EvidenceSet = { readonly [K in EvidenceKind]: Evidence<EvidenceMap[K]> };
