import { ALIVE, FAILING, home, json, PAGE, type Proofs, type ReadFix, readFix, type Routes } from './proof.js';

const MCP_CARD = '/.well-known/mcp/server-card.json';
const MCP: Routes = { '/mcp': ALIVE };

const mcpDocuments = ({ snippet }: ReadFix): Routes => ({
  [MCP_CARD]: json(snippet('{"$schema"')),
  '/.well-known/ard.json': json(snippet('{"entries"')),
});

export const WK_01: Proofs = {
  INVALID_MANIFEST: { failing: { ...MCP, [MCP_CARD]: json('{"name": 1}') }, mended: mcpDocuments },
  WK_UNREACHABLE: {
    failing: { ...MCP, '/': home(`<a href="${MCP_CARD}">MCP</a>`), [MCP_CARD]: FAILING.refused },
    mended: ({ served }) => served(readFix('C-WK-01', 'MISSING').snippet('{"$schema"')),
  },
  MISSING: {
    failing: { '/': home('<link rel="mcp" href="/mcp">'), '/mcp': json('{"jsonrpc": "2.0", "id": 1, "result": {}}') },
    mended: mcpDocuments,
  },
};

const AGENT_CARD = '/.well-known/agent-card.json';
const A2A: Routes = { '/a2a': ALIVE };

const agentCard = ({ snippet }: ReadFix): Routes => ({ [AGENT_CARD]: json(snippet('{"name"')) });

export const WK_02: Proofs = {
  INVALID_MANIFEST: { failing: { ...A2A, [AGENT_CARD]: json('{"name": "Shop agent"}') }, mended: agentCard },
  WK_UNREACHABLE: {
    failing: { ...A2A, '/': home(`<a href="${AGENT_CARD}">A2A</a>`), [AGENT_CARD]: FAILING.refused },
    mended: ({ served }) => served(readFix('C-WK-02', 'MISSING').snippet('{"name"')),
  },
  MISSING: {
    failing: { ...A2A, '/': home('<link rel="agent-card" href="/agent.json">') },
    mended: agentCard,
  },
};

const API_CATALOG = '/.well-known/api-catalog';
const API: Routes = {
  '/': home('<a href="/docs/api">API</a>'),
  '/docs/api': PAGE,
  '/openapi.json': json('{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/orders": {}}}'),
};

const apiDocuments = ({ snippet }: ReadFix): Routes => ({
  [API_CATALOG]: json(snippet('{"linkset"'), 'application/linkset+json'),
  '/.well-known/oauth-protected-resource': json(snippet('{"resource"')),
});

export const WK_03: Proofs = {
  INVALID_MANIFEST: {
    failing: {
      ...API,
      [API_CATALOG]: json('{"linkset": 1, "service-desc": "/openapi.json"}'),
      '/llms.txt': '# Shop\n\n- [API](/openapi.json)',
    },
    mended: apiDocuments,
  },
  WK_UNREACHABLE: {
    failing: {
      ...API,
      '/': home(`<link rel="api-catalog" href="${API_CATALOG}"><a href="/docs/api">API</a>`),
      [API_CATALOG]: FAILING.broken,
    },
    mended: ({ served }) => served(readFix('C-WK-03', 'MISSING').snippet('{"linkset"')),
  },
  MISSING: {
    failing: API,
    mended: ({ served, snippet }) => served(snippet('{"linkset"')),
  },
};
