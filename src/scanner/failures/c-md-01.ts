import type { Failures } from '../findings/failure.js';

export const cMd01Failures = {
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'Markdown is sent under a wrong media type',
  },
  NO_NEGOTIATION: {
    severity: 'MISSING',
    headline: 'Pages are not offered as Markdown',
  },
} as const satisfies Failures;
