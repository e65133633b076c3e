import type { Failures } from '../findings/failure.js';

export const cLlms03Failures = {
  DEAD_LINK: {
    severity: 'BROKEN',
    headline: 'llms.txt links to pages that are not there',
  },
} as const satisfies Failures;
