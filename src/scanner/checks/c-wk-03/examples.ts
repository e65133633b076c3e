import type { ExampleAnswers, Examples } from '../../verdict/example.js';
import { BROKEN, home, json, PAGE, readFix } from '../example-parts.js';
import { cWk03Failures } from './failures.js';

const CATALOG = '/.well-known/api-catalog';

const API: ExampleAnswers = {
  '/': home('<a href="/docs/api">API</a>'),
  '/docs/api': PAGE,
  '/openapi.json': json('{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/orders": {}}}'),
};

const corrected = readFix(cWk03Failures.INVALID_MANIFEST);
const published = readFix(cWk03Failures.MISSING);

export const EXAMPLES: Examples<typeof cWk03Failures> = {
  INVALID_MANIFEST: {
    failing: {
      ...API,
      [CATALOG]: json('{"linkset": 1, "service-desc": "/openapi.json"}'),
      '/llms.txt': '# Shop\n\n- [API](/openapi.json)',
    },
    passing: {
      [CATALOG]: json(corrected.snippet('{"linkset"'), 'application/linkset+json'),
      '/.well-known/oauth-protected-resource': json(corrected.snippet('{"resource"')),
    },
  },
  WK_UNREACHABLE: {
    failing: {
      ...API,
      '/': home(`<link rel="api-catalog" href="${CATALOG}"><a href="/docs/api">API</a>`),
      [CATALOG]: BROKEN,
    },
    passing: readFix(cWk03Failures.WK_UNREACHABLE).served(published.snippet('{"linkset"')),
  },
  MISSING: {
    failing: API,
    passing: published.served(published.snippet('{"linkset"')),
  },
};
