import type { Failures } from '../findings/failure.js';

export const cWk02Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'The A2A agent card is not valid',
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The A2A agent, or its card, cannot be reached',
  },
  MISSING: {
    severity: 'BROKEN',
    headline: 'The site names an A2A agent card that is not there',
  },
} as const satisfies Failures;
