/** A text that a check or a note follows, in the revision that was read. */
export interface Standard {
  readonly name: string;
  /** The revision that was read: a version, a draft's number, or what it calls itself. */
  readonly revision: string;
  /** When that revision came out: a year and month, or a whole date. */
  readonly date: string;
  readonly url: string;
}

/** Everything that the checks and notes follow. A standard that moves is changed here, then in what follows it. */
export const STANDARDS = {
  'llms-txt': { name: 'llms.txt', revision: 'v2', date: '2026-08-10', url: 'https://llmstxt.org/' },
  'agent-friendly-docs': {
    name: 'Agent-Friendly Documentation Spec',
    revision: '0.6.0',
    date: '2026-09',
    url: 'https://agentdocsspec.com/',
  },
  sitemaps: {
    name: 'Sitemaps protocol',
    revision: '0.9',
    date: '2016-11',
    url: 'https://www.sitemaps.org/protocol.html',
  },
  robots: {
    name: 'Robots Exclusion Protocol',
    revision: 'RFC 9309',
    date: '2022-09',
    url: 'https://www.rfc-editor.org/rfc/rfc9309',
  },
  agents: {
    name: 'What the vendors say of their agents',
    revision: 'as read',
    date: '2026-11-22',
    url: 'https://developers.openai.com/api/docs/bots',
  },
  'schema-org': {
    name: 'schema.org',
    revision: '30.1',
    date: '2026-09-16',
    url: 'https://schema.org/docs/releases.html',
  },
  'json-ld': { name: 'JSON-LD', revision: '1.1', date: '2020-07-16', url: 'https://www.w3.org/TR/json-ld11/' },
  'google-structured-data': {
    name: 'Google Search structured data',
    revision: 'required properties',
    date: '2026-06-15',
    url: 'https://developers.google.com/search/docs/appearance/structured-data/search-gallery',
  },
  ard: {
    name: 'Agentic Resource Discovery',
    revision: '0.91',
    date: '2026-08-26',
    url: 'https://agenticresourcediscovery.org/',
  },
  'mcp-server-card': {
    name: 'MCP server cards',
    revision: 'SEP-2127',
    date: '2026-07-24',
    url: 'https://github.com/modelcontextprotocol/ext-server-card',
  },
  mcp: {
    name: 'Model Context Protocol',
    revision: '2026-07-28',
    date: '2026-07-28',
    url: 'https://modelcontextprotocol.io/specification/2026-07-28',
  },
  a2a: { name: 'Agent2Agent Protocol', revision: '1.0.1', date: '2026-08-18', url: 'https://a2a-protocol.org/' },
  'api-catalog': {
    name: 'API catalog',
    revision: 'RFC 9727',
    date: '2025-06',
    url: 'https://www.rfc-editor.org/rfc/rfc9727',
  },
  openapi: {
    name: 'OpenAPI Specification',
    revision: '3.1.1',
    date: '2024-10-24',
    url: 'https://spec.openapis.org/oas/v3.1.1.html',
  },
  'oauth-resource': {
    name: 'OAuth protected resource metadata',
    revision: 'RFC 9728',
    date: '2025-04',
    url: 'https://www.rfc-editor.org/rfc/rfc9728',
  },
  'oauth-server': {
    name: 'OAuth authorization server metadata',
    revision: 'RFC 8414',
    date: '2018-06',
    url: 'https://www.rfc-editor.org/rfc/rfc8414',
  },
  http: {
    name: 'HTTP semantics',
    revision: 'RFC 9110',
    date: '2022-06',
    url: 'https://www.rfc-editor.org/rfc/rfc9110',
  },
  'web-linking': {
    name: 'Web linking',
    revision: 'RFC 8288',
    date: '2017-10',
    url: 'https://www.rfc-editor.org/rfc/rfc8288',
  },
  'aipref-vocabulary': {
    name: 'AI preferences: vocabulary',
    revision: 'draft-ietf-aipref-vocab-08',
    date: '2026-09-13',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/',
  },
  'aipref-attachment': {
    name: 'AI preferences: attachment',
    revision: 'draft-ietf-aipref-attach-05',
    date: '2026-08-18',
    url: 'https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/',
  },
  'content-signals': {
    name: 'Content signals',
    revision: 'draft-romm-aipref-contentsignals-00',
    date: '2025-10',
    url: 'https://contentsignals.org/',
  },
  tdmrep: {
    name: 'TDM Reservation Protocol',
    revision: 'W3C Community Group final report',
    date: '2024-05-10',
    url: 'https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/',
  },
  rsl: { name: 'Really Simple Licensing', revision: '1.0', date: '2025-12', url: 'https://rslstandard.org/rsl' },
  'agent-skills': {
    name: 'Agent skills discovery',
    revision: '0.2.0',
    date: '2026-03-12',
    url: 'https://github.com/cloudflare/agent-skills-discovery-rfc',
  },
  webmcp: {
    name: 'WebMCP',
    revision: 'W3C Community Group draft',
    date: '2026-09-04',
    url: 'https://webmachinelearning.github.io/webmcp/',
  },
} as const satisfies Readonly<Record<string, Standard>>;

export type StandardId = keyof typeof STANDARDS;

/** `llms.txt (v2)`: a standard with the revision that was read. */
export function nameStandard(id: StandardId): string {
  const { name, revision } = STANDARDS[id];
  return `${name} (${revision})`;
}
