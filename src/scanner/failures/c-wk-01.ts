import type { Failures } from '../findings/failure.js';

export const cWk01Failures = {
  INVALID_MANIFEST: {
    severity: 'BROKEN',
    headline: 'An MCP document of the site is not valid',
  },
  WK_UNREACHABLE: {
    severity: 'BROKEN',
    headline: 'The MCP server, or the document that names it, cannot be reached',
  },
  MISSING: {
    severity: 'BROKEN',
    headline: 'The site names an MCP server that is not there',
  },
} as const satisfies Failures;
