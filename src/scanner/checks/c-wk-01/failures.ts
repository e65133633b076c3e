import type { Failures } from '../../verdict/failure.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { CATALOG, SERVER_CARD } from '../fixes/snippets.js';

const CARD_PATH = '/.well-known/mcp/server-card.json';

const PUBLISHED = `The card, at ${CARD_PATH}:

${SERVER_CARD}

The catalog, at /.well-known/ard.json:

${CATALOG}`;

const GONE = 'If you no longer run the server, remove the documents and what names it.';

export const cWk01Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'An MCP document of the site is not valid',
    fix: `Correct the document that the finding names: it must be JSON with all fields that its format requires, and its endpoint must have a public address.

${PUBLISHED}

A private address such as localhost does not work. ${GONE}`,
    onFixed: {},
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The MCP server, or the document that names it, cannot be reached',
    fix: `Make the address that the finding names answer from the internet: the document with status 200, the endpoint as an MCP server. ${GONE}

Status 401 for callers without a token is fine at the endpoint, but not for the document. Rules against files whose names begin with a dot must leave out /.well-known/.

${serveFile(CARD_PATH, 'application/json')}`,
    onFixed: {},
  },
  MISSING: {
    severity: 'BROKEN',
    headline: 'The site names an MCP server that is not there',
    fix: `Publish a server card for the MCP server that your home page names, and a catalog that leads to the card; or take the name out of the home page.

${PUBLISHED}`,
    onFixed: {},
  },
} as const satisfies Failures;
