import { defineCheck } from '../findings/check.js';
import { fail, pass } from '../findings/verdict.js';
import { count, sentences, safeText } from '../evidence/safe-text.js';
import { describeMismatch } from './structured-data/mismatch.js';
import { findMismatches } from './structured-data/mismatches.js';
import { isSchemaNode, withoutNodes } from './structured-data/positions.js';

/** How many mismatches `detail` describes in full; it counts the others. */
const DESCRIBED_MAX = 4;

/**
 * The vocabulary is a pinned release of schema.org, pending terms included. Domain and range are guidance there ("Text where an
 * object is expected" is allowed by schema.org's conformance page), so only values that no reader could take for one of the
 * range's kinds are charged. `price`, `lowPrice` and `highPrice` also allow Text, for numerals with separators, yet a price
 * without a single digit is charged.
 */
export const cSd02 = defineCheck({
  id: 'C-SD-02',
  pillar: 'C',
  scored: true,
  title: 'Markup matches schema.org and the page',
  explanation:
    'Agents look for the exact names of schema.org: a misspelt type or property counts as missing, without any warning. They also compare the markup with the page. An impossible date, a url on another domain (often a forgotten staging host) or a headline that the page does not show makes them distrust the rest. We read the home page and up to three other pages of the site.',
  fix: `Correct the places that the finding names. "sample 2 (home link 12), block 1, node 0/1, property 3" is, on the page behind the 12th link of the home page, the first JSON-LD script, in it the second object inside the first one (nodes count from 0), and its third entry (those with "@" count).

- Types begin with a capital letter, properties with a small one. Look them up at https://schema.org.
- Dates are written 2026-01-31 or 2026-01-31T09:00:00+01:00, prices as 19.90.
- url is the public address of the page.
- headline and name are what the page shows.
- Properties of your own need a prefix that "@context" defines.

An example:

"datePublished": "2026-01-31",
"offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR"}`,
  judgedBy: ['schema-org'],
  errorTypes: ['SCHEMA_MISMATCH'],
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const mismatches = structuredData.pages.flatMap(findMismatches);
    if (mismatches.length === 0) {
      const nodes = structuredData.pages.reduce((total, page) => total + page.nodes.filter(isSchemaNode).length, 0);
      return pass(
        safeText`${count(nodes, 'schema.org node matches', 'schema.org nodes match')} the vocabulary and the page.`,
      );
    }
    const rest = mismatches.length - DESCRIBED_MAX;
    return fail(
      'SCHEMA_MISMATCH',
      sentences(
        safeText`${count(mismatches.length, 'mismatch', 'mismatches')}.`,
        ...mismatches.slice(0, DESCRIBED_MAX).map(describeMismatch),
        rest > 0 ? safeText`And ${rest} more.` : null,
      ),
    );
  },
});
