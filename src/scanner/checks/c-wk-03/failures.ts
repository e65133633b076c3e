import type { Failures } from '../../verdict/failure.js';
import { serveFile } from '../fixes/servers/serve-file.js';
import { API_CATALOG, PROTECTED_RESOURCE } from '../fixes/snippets.js';

const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json';

export const cWk03Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'A description of the API or its access is not valid',
    fix: `Correct the document that the finding names: it must be JSON with all fields that its format requires and lead to addresses of your own API; or remove it.

The API catalog, at ${CATALOG_PATH}:

${API_CATALOG}

For callers that need a token, /.well-known/oauth-protected-resource:

${PROTECTED_RESOURCE}

"resource" must be on the host that serves the document. In /.well-known/oauth-authorization-server the "issuer" must be the address of the host that serves it, such as "https://login.example.com".`,
    onFixed: {},
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'A description of the API or its access cannot be reached',
    fix: `Make the document that the finding names, and what the API catalog links to, answer everybody with status 200; or remove the link or the document.

Rules against files whose names begin with a dot must leave out /.well-known/.

${serveFile(CATALOG_PATH, CATALOG_TYPE)}`,
    onFixed: {},
  },
  MISSING: {
    severity: 'MISSING',
    headline: 'Agents cannot find the description of the API',
    fix: `Name the description of your API in a catalog at ${CATALOG_PATH}, sent as ${CATALOG_TYPE}.

${API_CATALOG}

A link with rel="service-desc" in the Link header of the home page does as well.

${serveFile(CATALOG_PATH, CATALOG_TYPE)}`,
    onFixed: {},
  },
} as const satisfies Failures;
