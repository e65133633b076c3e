import { addResponsePlace, safeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable } from '../verdict/verdict.js';
import { fenced, serveFile } from './fixes.js';
import { judgeDocument, noteUnannounced } from './manifest-verdict.js';

const CATALOG = fenced(`{"entries": [{
  "identifier": "urn:air:YOUR-DOMAIN:mcp:SERVER-NAME",
  "displayName": "NAME OF YOUR SERVER",
  "type": "application/mcp-server-card+json",
  "url": "https://www.example.com/.well-known/mcp/server-card.json"}]}`);

const SERVER_CARD = fenced(`{"$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
 "name": "COM.YOUR-DOMAIN/SERVER-NAME", "version": "1.0.0",
 "description": "WHAT THE SERVER DOES, IN ONE SENTENCE",
 "remotes": [{"type": "streamable-http", "url": "https://www.example.com/mcp"}]}`);

const CARD_PATH = '/.well-known/mcp/server-card.json';

const DOCUMENTS = `The card, at ${CARD_PATH}:

${SERVER_CARD}

The catalog, at /.well-known/ard.json:

${CATALOG}

Replace the words in capitals, and /mcp if your server has another address. The name of a server starts with your domain in reverse, such as com.example.`;

const IF_RETIRED = 'If you no longer run the server, remove the documents and every link to it.';

/**
 * Can an agent find the site's MCP server, and does the server answer? One valid document with a live endpoint is enough. A card
 * without `remotes` is valid, since its schema requires none. Catalog entries that are not MCP servers are ignored.
 */
export const cWk01 = defineCheck({
  id: 'C-WK-01',
  revision: 3,
  pillar: 'D',
  title: 'MCP discovery',
  shortName: 'MCP',
  answer: 'The site describes an MCP server, and that server answers.',
  explanation:
    'The Model Context Protocol (MCP) lets agents use tools that you offer. A small JSON document tells them where your MCP server is. We look for a catalog (/.well-known/ard.json, or the address in robots.txt or the home page), a server card, and the older versions of both. We check the required fields and whether the endpoint answers, without calling any tool. Without an MCP server, this check does not apply.',
  judgedBy: ['ard', 'mcp-server-card', 'mcp'],
  failures: {
    INVALID_MANIFEST: {
      severity: 'BROKEN',
      headline: 'An MCP document of the site is not valid',
      fix: `Correct the document named in the finding. It must be JSON with all required fields, and its endpoint must have a public address.

${DOCUMENTS}

A private address such as localhost does not work. ${IF_RETIRED}`,
    },
    WK_UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'The MCP server or its document cannot be reached',
      fix: `Make the address named in the finding reachable from the internet. The document must return status 200, and the endpoint must answer as an MCP server.

${IF_RETIRED} The endpoint may return 401 to callers without a token, but the document must be public. If a rule blocks paths that start with a dot, exempt /.well-known/.

${serveFile(CARD_PATH, 'application/json')}`,
    },
    MISSING: {
      severity: 'BROKEN',
      headline: 'The site refers to an MCP server or catalog that cannot be found',
      fix: `Publish a server card for the MCP server that your home page refers to, and a catalog that leads to the card, at the address named in the finding. Or remove the reference.

${DOCUMENTS}`,
    },
  },
  needs: ['mcp'],
  judge({ mcp: { documents, endpoint } }) {
    const verdicts = documents.map((document) => judgeDocument(document, 'any'));
    const passed = verdicts.find(({ result }) => result === 'PASS');
    if (passed) return passed;
    // A document that we could not read may be valid, so nothing is proven.
    const unclear = verdicts.find(({ result }) => result === 'UNDETERMINED');
    if (unclear) return unclear;
    const failures = verdicts.filter((verdict) => verdict.result === 'FAIL');
    const failure = failures.find(({ errorType }) => errorType === 'WK_UNREACHABLE') ?? failures[0];
    if (failure) return failure;
    if (endpoint) {
      const detail = safeText`The home page refers to an MCP endpoint that works, but no catalog or server card describes it.`;
      return fail('MISSING', addResponsePlace(detail, endpoint));
    }
    const unrelated = documents.find(({ state }) => state.kind === 'unrelated');
    return notApplicable(
      safeText`There is no MCP server listed under /.well-known/.`,
      unrelated?.state.kind === 'unrelated' ? safeText`${unrelated.path} ${unrelated.state.detail}.` : null,
      noteUnannounced(documents),
    );
  },
});
