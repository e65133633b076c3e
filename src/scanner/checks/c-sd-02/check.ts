import { cSd02Failures } from './failures.js';
import type { StructuredData } from '../../artifacts/structured-data.js';
import { defineCheck } from '../../verdict/check.js';
import { fail, pass } from '../../verdict/verdict.js';
import { tellPage } from '../../artifacts/page-name.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, listSafeText, sentences, safeText } from '../../artifacts/safe-text.js';
import { describeMismatches } from './mismatch.js';
import { compareMarkup, type Remarks } from './mismatches.js';
import { isSchemaNode, withoutNodes } from '../structured-data/positions.js';

/** How many kinds of mismatches `detail` describes; it counts the others. */
const DESCRIBED_MAX = 3;

/**
 * The vocabulary is a pinned release of schema.org, pending terms included. An unknown name is charged only where it is a misspelling:
 * it differs from a term by case, or by one edit in three characters and two in all. Domain and range are guidance there ("Text where an
 * object is expected" is allowed by schema.org's conformance page), so only values that no reader could take for one of the
 * range's kinds are charged. `price`, `lowPrice` and `highPrice` also allow Text, for numerals with separators; a price in which there
 * is not a number, or more than one, is charged. So is a date that is impossible, or that does not read in one way only.
 */
export const cSd02 = defineCheck({
  id: 'C-SD-02',
  revision: 2,
  pillar: 'C',
  scored: true,
  title: 'Markup matches schema.org and the page',
  shortName: 'Schema',
  answer: 'The JSON-LD matches schema.org and what the page shows.',
  explanation:
    'Agents look for the exact names of schema.org: a misspelt type or property counts as missing, without any warning. They also compare the markup with the page. An impossible date, a url on another domain (often a forgotten staging host) or a headline that the page does not show makes them distrust the rest. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['schema-org'],
  failures: cSd02Failures,
  examples: () => import('./examples.js'),
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const compared = structuredData.pages.map(compareMarkup);
    const mismatches = compared.flatMap((page) => page.mismatches);
    if (mismatches.length === 0) {
      const nodes = structuredData.pages.reduce((total, page) => total + page.nodes.filter(isSchemaNode).length, 0);
      return pass(
        sentences(
          safeText`${count(nodes, 'schema.org item matches', 'schema.org items match')} the vocabulary and the page.`,
          ...describeRemarks(compared.map(({ remarks }) => remarks)),
          describeShells(structuredData),
        ),
      );
    }
    const { told, toldCount } = describeMismatches(mismatches, DESCRIBED_MAX);
    const rest = mismatches.length - toldCount;
    return fail(
      'SCHEMA_MISMATCH',
      sentences(
        mismatches.length > 1 ? safeText`${mismatches.length} mismatches.` : null,
        ...told,
        rest > 0 ? safeText`And ${rest} more.` : null,
      ),
    );
  },
  // A name that is misspelt may be the identity's type, or lead to it or to its profiles.
  unforeseen: ({ structuredData: { pages } }) =>
    pages.some((page) => compareMarkup(page).mismatches.some(({ isMisspelling }) => isMisspelling))
      ? ['structuredData', 'sameAs']
      : [],
});

function describeRemarks(remarks: readonly Readonly<Remarks>[]): (SafeText | null)[] {
  const sum = (key: keyof Remarks): number => remarks.reduce((total, page) => total + page[key], 0);
  const [strange, retired] = [sum('strangeNames'), sum('retiredTerms')];
  const [prices, dates] = [sum('loosePrices'), sum('looseDates')];
  return [
    strange > 0
      ? safeText`${count(strange, 'name is', 'names are')} not in schema.org, and like none of its terms: agents pass over them.`
      : null,
    retired > 0
      ? safeText`${count(retired, 'term is', 'terms are')} retired: look up what schema.org has in their place.`
      : null,
    prices > 0
      ? safeText`${count(prices, 'price is', 'prices are')} not a plain number: write 19.90, and the currency in priceCurrency.`
      : null,
    dates > 0
      ? safeText`${count(dates, 'date is', 'dates are')} not in the form of ISO 8601, which every reader takes for the same day: write 2026-01-31.`
      : null,
  ];
}

function describeShells({ pages }: StructuredData): SafeText | null {
  const shells = pages.filter(({ page }) => page.facts.served.isShell).map(({ page }) => tellPage(page));
  if (shells.length === 0) return null;
  return safeText`Not compared with the page, whose text scripts make: ${listSafeText(shells)}.`;
}
