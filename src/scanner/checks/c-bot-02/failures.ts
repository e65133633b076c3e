import type { Failures } from '../../verdict/failure.js';

export const cBot02Failures = {
  POLICY_INCONSISTENT: {
    severity: 'BROKEN',
    headline: 'robots.txt, pages and files contradict each other about AI agents',
    fix: `Decide which of the two statements that the finding names should hold, and remove the other.

In robots.txt keep one group for each agent, with one general rule and its exceptions:

User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
Disallow: /account/

- Pages that should stay closed: take them out of llms.txt and the sitemap, or open them in robots.txt.
- Content-Signal: give each signal one value, yes or no, and say yes only where agents may enter.
- A home page that should be found: remove noindex from its X-Robots-Tag header and its robots meta element.

On Cloudflare:

In AI Crawl Control, see if Cloudflare manages your robots.txt: its Content-Signal then stands before your own rules. Switch it off, or say the same.

In WordPress:

In Settings > Reading, untick "Discourage search engines from indexing this site": it marks every page with noindex.`,
    onFixed: {},
  },
} as const satisfies Failures;
