import type { Failures } from '../findings/failure.js';

export const cLlms02Failures = {
  FORMAT: {
    severity: 'BROKEN',
    headline: 'llms.txt is not Markdown that begins with a title',
  },
  STRUCTURE: {
    severity: 'POLISH',
    headline: 'llms.txt has its parts in the wrong form or order',
  },
} as const satisfies Failures;
