import { defineCheck } from '../domain/check.js';
import { fail, pass } from '../domain/verdict.js';
import { count, sentences, words } from '../domain/words.js';
import { describeMismatch } from './structured-data/mismatch.js';
import { findMismatches } from './structured-data/mismatches.js';
import { isSchemaNode, withoutNodes } from './structured-data/positions.js';

/** Mismatches that `detail` describes in full; the others are counted. */
const DESCRIBED_MAX = 4;

/**
 * The vocabulary is a pinned release of schema.org, pending terms included. Domain and range are guidance there ("Text
 * where an object is expected" is allowed by schema.org's conformance page), so only values that no reader could take for
 * one of the range's kinds are charged. `price`, `lowPrice` and `highPrice` also allow Text, for numerals with
 * separators: a price without a single digit is charged all the same.
 */
export const cSd02 = defineCheck({
  id: 'C-SD-02',
  pillar: 'C',
  scored: true,
  title: 'Markup matches schema.org and the page',
  explanation:
    'Agents look for the exact names of schema.org: a misspelt type or property is as good as absent, and nobody reports ' +
    'it. They also compare the markup with the page. A date that is none, a url on another domain (often a forgotten ' +
    'staging host) or a headline that the page never shows makes them distrust everything else that the markup says.',
  fix: `Correct the places that the finding names. They are counted in the order of the source: the JSON-LD block of the page, the node within the block (from 0, "0/1" is the second object inside the first), the property within the node (from 1, "@" keys count).

- Types start with a capital letter (Organization), properties with a small one (datePublished). Both are listed at https://schema.org/docs/full.html.
- Dates are ISO 8601: "2026-01-31" or "2026-01-31T09:00:00+01:00". Prices are digits with a point: "19.90".
- "url" is the public address of the page.
- Fill headline and name from the same source as the visible text.

Properties of your own belong under a prefix that "@context" defines.`,
  errorTypes: ['SCHEMA_MISMATCH'],
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const mismatches = structuredData.pages.flatMap(findMismatches);
    if (mismatches.length === 0) {
      const nodes = structuredData.pages.reduce((total, page) => total + page.nodes.filter(isSchemaNode).length, 0);
      return pass(
        words`${count(nodes, 'schema.org node matches', 'schema.org nodes match')} the vocabulary and the page.`,
      );
    }
    const rest = mismatches.length - DESCRIBED_MAX;
    return fail(
      'SCHEMA_MISMATCH',
      sentences(
        words`${count(mismatches.length, 'mismatch', 'mismatches')}.`,
        ...mismatches.slice(0, DESCRIBED_MAX).map(describeMismatch),
        rest > 0 ? words`And ${rest} more.` : null,
      ),
    );
  },
});
