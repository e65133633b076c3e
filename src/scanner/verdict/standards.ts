/** A specification that a check or a note follows. */
export interface Standard {
  readonly name: string;
  /** The revision that was read: a version, a draft's number, or what it calls itself. */
  readonly revision: string;
  /** Publication of that revision: a year and month, or a date. */
  readonly date: string;
  readonly url: string;
}

function standard(name: string, revision: string, date: string, url: string): Standard {
  return { name, revision, date, url };
}

function rfc(name: string, number: number, date: string): Standard {
  return standard(name, `RFC ${number}`, date, `https://www.rfc-editor.org/rfc/rfc${number}`);
}

function ietfDraft(name: string, draft: string, version: string, date: string): Standard {
  return standard(name, `${draft}-${version}`, date, `https://datatracker.ietf.org/doc/${draft}/`);
}

/** Every standard that the checks and notes follow. Change one here first, then the checks that name it. */
export const STANDARDS = {
  'llms-txt': standard('llms.txt', 'v2', '2026-08-10', 'https://llmstxt.org/'),
  'agent-friendly-docs': standard(
    'Agent-Friendly Documentation Spec',
    '0.6.0',
    '2026-09',
    'https://agentdocsspec.com/',
  ),
  sitemaps: standard('Sitemaps protocol', '0.9', '2016-11', 'https://www.sitemaps.org/protocol.html'),
  robots: rfc('Robots Exclusion Protocol', 9309, '2022-09'),
  agents: standard(
    'Vendor documentation of AI agents',
    'as read',
    '2026-11-22',
    'https://developers.openai.com/api/docs/bots',
  ),
  'schema-org': standard('schema.org', '30.1', '2026-09-16', 'https://schema.org/docs/releases.html'),
  'json-ld': standard('JSON-LD', '1.1', '2020-07-16', 'https://www.w3.org/TR/json-ld11/'),
  'google-structured-data': standard(
    'Google Search structured data',
    'required properties',
    '2026-06-15',
    'https://developers.google.com/search/docs/appearance/structured-data/search-gallery',
  ),
  ard: standard('Agentic Resource Discovery', '0.91', '2026-08-26', 'https://agenticresourcediscovery.org/'),
  'mcp-server-card': standard(
    'MCP server cards',
    'SEP-2127',
    '2026-07-24',
    'https://github.com/modelcontextprotocol/ext-server-card',
  ),
  mcp: standard(
    'Model Context Protocol',
    '2026-07-28',
    '2026-07-28',
    'https://modelcontextprotocol.io/specification/2026-07-28',
  ),
  a2a: standard('Agent2Agent Protocol', '1.0.1', '2026-08-18', 'https://a2a-protocol.org/'),
  'api-catalog': rfc('API catalog', 9727, '2025-06'),
  openapi: standard('OpenAPI Specification', '3.1.1', '2024-10-24', 'https://spec.openapis.org/oas/v3.1.1.html'),
  'oauth-resource': rfc('OAuth protected resource metadata', 9728, '2025-04'),
  'oauth-server': rfc('OAuth authorization server metadata', 8414, '2018-06'),
  http: rfc('HTTP semantics', 9110, '2022-06'),
  'aipref-vocabulary': ietfDraft('AI preferences: vocabulary', 'draft-ietf-aipref-vocab', '08', '2026-09-13'),
  'aipref-attachment': ietfDraft('AI preferences: attachment', 'draft-ietf-aipref-attach', '05', '2026-08-18'),
  'content-signals': standard(
    'Content signals',
    'draft-romm-aipref-contentsignals-00',
    '2025-10',
    'https://contentsignals.org/',
  ),
  tdmrep: standard(
    'TDM Reservation Protocol',
    'W3C Community Group final report',
    '2024-05-10',
    'https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/',
  ),
  rsl: standard('Really Simple Licensing', '1.0', '2025-12', 'https://rslstandard.org/rsl'),
};

export type StandardId = keyof typeof STANDARDS;

/** Names a standard with its revision: `llms.txt (v2)`. */
export function nameStandard(id: StandardId): string {
  const { name, revision } = STANDARDS[id];
  return `${name} (${revision})`;
}
