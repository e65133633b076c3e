import type { Failures } from '../findings/failure.js';

export const cSd02Failures = {
  SCHEMA_MISMATCH: {
    severity: 'BROKEN',
    headline: 'JSON-LD does not match schema.org, or what the page shows',
  },
} as const satisfies Failures;
