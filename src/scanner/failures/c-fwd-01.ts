import type { Failures } from '../findings/failure.js';

export const cFwd01Failures = {
  MISSING: {
    severity: 'POLISH',
    headline: 'No preference on the use of content by AI is declared',
  },
  FORMAT: {
    severity: 'BROKEN',
    headline: 'The declared preference on the use of content by AI cannot be read',
  },
} as const satisfies Failures;
