import type { Failures } from '../findings/failure.js';

export const cLlms04Failures = {
  OVERSIZE: {
    severity: 'POLISH',
    headline: 'llms.txt is too long for an agent to read',
  },
} as const satisfies Failures;
