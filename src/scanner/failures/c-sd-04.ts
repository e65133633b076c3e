import type { Failures } from '../findings/failure.js';

export const cSd04Failures = {
  BROKEN_SAMEAS: {
    severity: 'BROKEN',
    headline: 'sameAs links lead nowhere',
  },
} as const satisfies Failures;
