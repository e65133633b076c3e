import { count, safeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass } from '../verdict/verdict.js';
import { fenced, serveFile } from './fixes.js';
import { judgeDocument, noteUnannounced } from './manifest-verdict.js';

const API_CATALOG = fenced(`{"linkset": [{"anchor": "https://www.example.com/",
  "service-desc": [{"href": "https://www.example.com/openapi.json", "type": "application/json"}]}]}`);

const PROTECTED_RESOURCE = fenced(`{"resource": "https://www.example.com",
 "authorization_servers": ["https://www.example.com"]}`);

const CATALOG_PATH = '/.well-known/api-catalog';
const CATALOG_TYPE = 'application/linkset+json';

/**
 * Are the documents valid that lead agents to the site's APIs and their authorization? RFC 9264 allows link contexts without an API relation
 * (`describedby` alone), so one context with a relation is enough. An unannounced description never fails, since frameworks publish
 * descriptions without the owner's knowledge.
 */
export const cWk03 = defineCheck({
  id: 'C-WK-03',
  revision: 3,
  pillar: 'D',
  title: 'API catalog and OAuth metadata',
  shortName: 'API',
  answer: 'The API catalog and OAuth metadata are valid.',
  explanation:
    'If your site has an API, agents look for it at well-known addresses: an API catalog at /.well-known/api-catalog, which links to descriptions of the API, and OAuth metadata, which says how to get a token. We check the documents that exist and those that your headers, links and WWW-Authenticate challenges refer to. We follow up to three links to descriptions and documentation. Without an API, this check does not apply.',
  judgedBy: ['api-catalog', 'openapi', 'oauth-resource', 'oauth-server'],
  failures: {
    INVALID_MANIFEST: {
      severity: 'BROKEN',
      headline: 'An API or OAuth document is not valid',
      fix: `Correct the document named in the finding, or remove it. It must be JSON with all required fields, and its addresses must belong to your own API.

The API catalog, at ${CATALOG_PATH}. Replace /openapi.json if your description has another address:

${API_CATALOG}

If callers need a token, publish /.well-known/oauth-protected-resource. In "authorization_servers", list the server that issues your tokens:

${PROTECTED_RESOURCE}

"resource" must be on the host that serves the document. In /.well-known/oauth-authorization-server, "issuer" must be the address of the host that serves it.`,
    },
    WK_UNREACHABLE: {
      severity: 'BROKEN',
      headline: 'An API or OAuth document cannot be reached',
      fix: `Make the document named in the finding, and everything that the API catalog links to, return status 200 for everyone. Or remove the link or the document.

If a rule blocks paths that start with a dot, exempt /.well-known/.

${serveFile(CATALOG_PATH, CATALOG_TYPE)}`,
    },
    MISSING: {
      severity: 'MISSING',
      headline: 'The site refers to an API or OAuth document that does not exist',
      fix: `Publish the document at the address named in the finding, or correct the header, link or challenge that refers to it.

A challenge is the WWW-Authenticate header of an endpoint that your documents refer to. If another company runs the endpoint, ask them to correct it.

The API catalog, at ${CATALOG_PATH}, sent as ${CATALOG_TYPE}. Replace /openapi.json if your description has another address:

${API_CATALOG}

${serveFile(CATALOG_PATH, CATALOG_TYPE)}`,
    },
  },
  needs: ['apiMetadata'],
  judge({ apiMetadata: { documents, openApi } }) {
    const verdicts = documents.map((document) => judgeDocument(document, 'every'));
    const failures = verdicts.filter((verdict) => verdict.result === 'FAIL');
    const others = failures.length - 1;
    const note =
      others > 0 ? safeText`The API documents have ${count(others, 'more problem', 'more problems')}.` : null;
    for (const errorType of ['WK_UNREACHABLE', 'MISSING', 'INVALID_MANIFEST'] as const) {
      const failure = failures.find((verdict) => verdict.errorType === errorType);
      if (failure) return fail(errorType, failure.detail, note);
    }
    const unclear = verdicts.find(({ result }) => result === 'UNDETERMINED');
    if (unclear) return unclear;
    const passed = verdicts.filter(({ result }) => result === 'PASS');
    const unannounced = noteUnannounced(documents);
    if (passed.length > 0) return pass(...passed.map(({ detail }) => detail), unannounced);
    const unoffered =
      openApi &&
      safeText`There is an OpenAPI description at ${openApi}. If the API is for others, list it in an API catalog.`;
    return notApplicable(safeText`There is no API catalog and no OAuth metadata.`, unoffered, unannounced);
  },
});
