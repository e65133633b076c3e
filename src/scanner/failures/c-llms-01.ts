import type { Failures } from '../findings/failure.js';

export const cLlms01Failures = {
  MISSING: {
    severity: 'MISSING',
    headline: 'There is no llms.txt',
  },
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'llms.txt is not sent as a text file',
  },
  BLOCKED: {
    severity: 'SHUT_OUT',
    headline: 'llms.txt is refused',
  },
  UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'llms.txt fails with a server error or a broken connection',
  },
  TIMEOUT: {
    severity: 'BROKEN',
    headline: 'llms.txt gives no answer in time',
  },
} as const satisfies Failures;
