import { CHANGED_ON, PAGES, SITE_NAME, SITE_SUMMARY } from './pages.js';

const VERSION = '1.0.0';

/** The server's name in MCP: a namespace that is nobody's, since the site has no domain of its own. */
export const MCP_SERVER = { name: 'com.example/harbour-bakery', title: SITE_NAME, version: VERSION } as const;

export function robotsTxt(origin: string): string {
  return `# Everyone is welcome here, in search and in answers. Training is not included.
User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no
Allow: /

Sitemap: ${origin}/sitemap.xml
`;
}

export function llmsTxt(origin: string): string {
  const lines = PAGES.map(({ path, label, summary }) => `- [${label}](${origin}${path}): ${summary}`);
  return `# ${SITE_NAME}

> ${SITE_SUMMARY}

Every page comes as Markdown when it is asked for with "Accept: text/markdown".

## Pages

${lines.join('\n')}

## For programs

- [Opening hours](${origin}/api/opening-hours): the hours as JSON
- [API description](${origin}/openapi.json): OpenAPI 3.1
`;
}

export function sitemapXml(origin: string): string {
  const entries = PAGES.map(({ path }) => `  <url><loc>${origin}${path}</loc><lastmod>${CHANGED_ON}</lastmod></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`;
}

/** AI Catalog 1.0: what the site offers to agents, in one place. */
export function aiCatalog(origin: string): object {
  return {
    specVersion: '1.0',
    host: { displayName: SITE_NAME },
    entries: [
      {
        identifier: 'urn:air:example.com:mcp:harbour-bakery',
        type: 'application/mcp-server-card+json',
        url: `${origin}/.well-known/mcp/server-card.json`,
      },
      {
        identifier: 'urn:air:example.com:a2a:harbour-bakery',
        type: 'application/a2a-agent-card+json',
        url: `${origin}/.well-known/agent-card.json`,
      },
    ],
  };
}

/** The server card of the Model Context Protocol (SEP-2127). */
export function mcpServerCard(origin: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...MCP_SERVER,
    description: 'Tells the opening hours of Harbour Bakery.',
    websiteUrl: `${origin}/`,
    remotes: [{ type: 'streamable-http', url: `${origin}/mcp` }],
  };
}

/** The agent card of the Agent2Agent protocol 1.0. */
export function agentCard(origin: string): object {
  return {
    name: SITE_NAME,
    description: 'Tells when the bakery is open.',
    version: VERSION,
    supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'opening-hours',
        name: 'Opening hours',
        description: 'Says on which days and at which hours the bakery is open.',
        tags: ['opening hours', 'bakery'],
        examples: ['Are you open on Saturday?'],
      },
    ],
  };
}

/** The API catalog of RFC 9727, a linkset of RFC 9264. */
export function apiCatalog(origin: string): object {
  return {
    linkset: [
      {
        anchor: `${origin}/api/opening-hours`,
        'service-desc': [{ href: `${origin}/openapi.json`, type: 'application/json' }],
        'service-doc': [{ href: `${origin}/about`, type: 'text/html' }],
      },
    ],
  };
}

export function openApi(origin: string): object {
  const hours = {
    type: 'array',
    items: {
      type: 'object',
      required: ['days', 'opens', 'closes'],
      properties: { days: { type: 'string' }, opens: { type: 'string' }, closes: { type: 'string' } },
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: `${SITE_NAME} API`, version: VERSION, summary: SITE_SUMMARY },
    servers: [{ url: origin }],
    paths: {
      '/api/opening-hours': {
        get: {
          operationId: 'getOpeningHours',
          summary: 'The opening hours of the bakery',
          responses: {
            '200': { description: 'The hours', content: { 'application/json': { schema: hours } } },
          },
        },
      },
    },
  };
}
