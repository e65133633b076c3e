import type { Failures } from '../findings/failure.js';

export const cSd03Failures = {
  ENTITY_INCOMPLETE: {
    severity: 'MISSING',
    headline: 'JSON-LD does not say who is behind the site',
  },
} as const satisfies Failures;
