import type { Failures } from '../../verdict/failure.js';
import { redirect } from '../fixes/servers/redirect.js';

export const cLlms03Failures = {
  DEAD_LINK: {
    severity: 'BROKEN',
    headline: 'llms.txt links to pages that are not there',
    fix: `Open llms.txt at the lines that the finding names, and correct or remove each link; where a page has moved, redirect its old address as well.

- [Pricing](https://www.example.com/pricing): plans and limits

Relative links start from the address of llms.txt. If a program writes the file, let it use the same list of pages as the sitemap.

${redirect('/old-pricing', '/pricing')}`,
    onFixed: {},
  },
} as const satisfies Failures;
