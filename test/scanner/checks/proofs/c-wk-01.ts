import { ALIVE, FAILING, home, json, type Proofs, type ReadFix, readFix, type Routes } from './proof.js';

const MCP_CARD = '/.well-known/mcp/server-card.json';

const MCP: Routes = { '/mcp': ALIVE };

const mcpDocuments = ({ snippet }: ReadFix): Routes => ({
  [MCP_CARD]: json(snippet('{"$schema"')),
  '/.well-known/ard.json': json(snippet('{"entries"')),
});

export const PROOFS: Proofs = {
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
