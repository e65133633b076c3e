import type { Failures } from '../findings/failure.js';

export const cSite01Failures = {
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'The sitemap is refused',
  },
  UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The sitemap fails with a server error or a broken connection',
  },
  TIMEOUT: {
    severity: 'BROKEN',
    headline: 'The sitemap gives no answer in time',
  },
  MISSING: {
    severity: 'MISSING',
    headline: 'There is no sitemap that agents can find',
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'The sitemap answers with an HTML page',
  },
  FORMAT: {
    severity: 'BROKEN',
    headline: 'The sitemap cannot be read',
  },
} as const satisfies Failures;
