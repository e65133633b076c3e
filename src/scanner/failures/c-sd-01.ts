import type { Failures } from '../findings/failure.js';

export const cSd01Failures = {
  FORMAT: {
    severity: 'BROKEN',
    headline: 'JSON-LD on the pages is not valid JSON',
  },
  NO_JSONLD: {
    severity: 'MISSING',
    headline: 'The pages have no JSON-LD',
  },
} as const satisfies Failures;
