/** Where programs find what is for them. */
export const ADDRESSES = {
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  securityTxt: '/.well-known/security.txt',
  apiCatalog: '/.well-known/api-catalog',
  ard: '/.well-known/ard.json',
  serverCard: '/.well-known/mcp/server-card.json',
  /** Alongside the endpoint, where some clients look for it. */
  serverCardAtEndpoint: '/mcp/server-card',
  /** What an operator publishes in the MCP Registry. */
  registryEntry: '/mcp/server.json',
  mcpManifest: '/.well-known/mcp.json',
  skills: '/.well-known/agent-skills/index.json',
  skill: '/.well-known/agent-skills/make-site-agent-ready/SKILL.md',
  mcp: '/mcp',
  api: '/api/v1',
  openApi: '/api/v1/openapi.json',
} as const;

export const TYPES = {
  text: 'text/plain; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  xml: 'application/xml',
  json: 'application/json',
  serverCard: 'application/mcp-server-card+json',
  /** RFC 9264 §4.2, with the profile of RFC 9727 §4.2. */
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
} as const;
