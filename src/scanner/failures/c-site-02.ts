import type { Failures } from '../findings/failure.js';

export const cSite02Failures = {
  OVERSIZE: {
    severity: 'BROKEN',
    headline: 'The sitemap is larger than its readers accept',
  },
  STRUCTURE: {
    severity: 'BROKEN',
    headline: 'The sitemap has entries that its readers drop',
  },
  DEAD_LINK: {
    severity: 'BROKEN',
    headline: 'The sitemap lists pages that are not there',
  },
} as const satisfies Failures;
