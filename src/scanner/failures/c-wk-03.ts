import type { Failures } from '../findings/failure.js';

export const cWk03Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'A description of the API or its access is not valid',
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'A description of the API or its access cannot be reached',
  },
  MISSING: {
    severity: 'MISSING',
    headline: 'Agents cannot find the description of the API',
  },
} as const satisfies Failures;
