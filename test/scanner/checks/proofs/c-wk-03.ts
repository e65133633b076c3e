import { FAILING, home, json, PAGE, type Proofs, type ReadFix, readFix, type Routes } from './proof.js';

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

export const PROOFS: Proofs = {
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
