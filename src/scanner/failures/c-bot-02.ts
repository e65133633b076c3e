import type { Failures } from '../findings/failure.js';

export const cBot02Failures = {
  POLICY_INCONSISTENT: {
    severity: 'BROKEN',
    headline: 'robots.txt, pages and files contradict each other about AI agents',
  },
} as const satisfies Failures;
