import { namePageInSentence } from '../artifacts/pages.js';
import { count, listSafeText, addPlaces, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import type { StructuredData } from '../artifacts/structured-data.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass, undetermined } from '../verdict/verdict.js';
import { compareMarkup } from './c-sd-02-mismatches.js';
import { fenced } from './fixes.js';
import { describeOtherForms, isSchemaNode, judgeWithoutNodes } from './json-ld-places.js';

/** Maximum number of groups of mismatches that `detail` describes. It counts the others. */
const DESCRIBED_MAX = 3;

/**
 * Does the JSON-LD match schema.org and the page? The vocabulary is a pinned release of schema.org with its pending terms. An unknown
 * name is reported only if it looks misspelt: it differs from a term by case, or by one edit per three characters and at most two in all.
 * For schema.org, domain and range are guidance (its conformance page allows "Text where an object is expected"), so only values that
 * cannot be of any allowed kind are reported. `price`, `lowPrice` and `highPrice` also allow Text for numerals with separators, but must
 * contain exactly one number. Impossible and ambiguous dates are reported.
 */
export const cSd02 = defineCheck({
  id: 'C-SD-02',
  revision: 3,
  pillar: 'C',
  title: 'JSON-LD accuracy',
  shortName: 'Schema',
  answer: 'The JSON-LD matches schema.org and what the page shows.',
  explanation:
    'Agents look for the exact names of schema.org. They ignore a misspelt type or property without any warning. They also compare the markup with the page. An impossible date, a url on another domain (often a forgotten staging host) or a headline that the page does not show makes them distrust the rest. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['schema-org'],
  unlocks: ['sameAs'],
  failures: {
    SCHEMA_MISMATCH: {
      severity: 'BROKEN',
      headline: 'JSON-LD does not match schema.org or the page',
      fix: `Correct each place named in the finding. Write types, properties, dates and prices as schema.org does, and include only what the page itself shows.

- Types start with a capital letter, properties with a lower-case one. Look them up at https://schema.org.
- Write dates as 2026-01-31 or 2026-01-31T09:00:00+01:00. 03/04/2026 is in March in some countries and in April in others.
- Write prices as 19.90.
- url is the public address of the page.
- headline and name match what the page shows.
- Your own properties need a prefix that "@context" defines.

For example:

${fenced(`"datePublished": "2026-01-31",
"offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR"}`)}`,
    },
  },
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const withoutNodes = judgeWithoutNodes(structuredData);
    if (withoutNodes) return withoutNodes;
    const compared = structuredData.pages.map(compareMarkup);
    const mismatches = compared.flatMap((page) => page.mismatches);
    if (mismatches.length === 0) {
      const nodes = structuredData.pages.reduce((total, page) => total + page.nodes.filter(isSchemaNode).length, 0);
      const otherForms = describeOtherForms(structuredData.pages);
      const verdict = otherForms ? undetermined : pass;
      return verdict(
        safeText`${count(nodes, 'schema.org item matches', 'schema.org items match')} the vocabulary and the page.`,
        describeUnmatchedNames(compared.reduce((total, page) => total + page.unmatchedNameCount, 0)),
        describeShells(structuredData),
        otherForms,
      );
    }
    const groups = [...Map.groupBy(mismatches, ({ text }) => text).values()].slice(0, DESCRIBED_MAX);
    const rest = mismatches.length - groups.flat().length;
    return fail(
      'SCHEMA_MISMATCH',
      mismatches.length > 1 ? safeText`${mismatches.length} mismatches.` : null,
      ...groups.map(describeGroup),
      rest > 0 ? safeText`And ${rest} more.` : null,
    );
  },
});

function describeUnmatchedNames(n: number): SafeText | null {
  if (n === 0) return null;
  return safeText`${count(n, 'name is', 'names are')} not in schema.org, and not similar to any of its terms. Agents ignore such names.`;
}

function describeShells({ pages }: StructuredData): SafeText | null {
  const shells = pages.filter(({ page }) => page.facts.served.isShell).map(({ page }) => namePageInSentence(page));
  if (shells.length === 0) return null;
  return safeText`Scripts create the text of these pages, so the markup was not compared with it: ${listSafeText(shells)}.`;
}

/** Describes mismatches with one text and points to each: "Home page, block 1: price of the Offer is not a number (3 times)." */
function describeGroup(group: readonly SafeText[]): SafeText {
  const text = addPlaces(group[0] ?? term(''), ...group.slice(1).flatMap(({ places }) => places));
  return group.length === 1 ? safeText`${text}.` : safeText`${text} (${group.length} times).`;
}
