import type { Failures } from '../findings/failure.js';

export const cBot01Failures = {
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt shuts AI agents out',
  },
  UNREACHABLE: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt fails, so crawlers stay away',
  },
  TIMEOUT: {
    severity: 'SHUT_OUT',
    headline: 'robots.txt gives no answer in time, so crawlers stay away',
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'robots.txt answers with an HTML page',
  },
  OVERSIZE: {
    severity: 'BROKEN',
    headline: 'robots.txt is longer than crawlers read',
  },
} as const satisfies Failures;
