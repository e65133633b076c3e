import type { Failures } from '../findings/failure.js';

export const cBot03Failures = {
  UA_REJECTED: {
    severity: 'SHUT_OUT',
    headline: 'The server refuses AI agents by their name',
  },
  TIMEOUT: {
    severity: 'SHUT_OUT',
    headline: 'The server leaves AI agents without an answer',
  },
} as const satisfies Failures;
