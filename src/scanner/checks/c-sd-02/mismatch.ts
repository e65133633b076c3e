import type { SchemaNode, StructuredPage } from '../../artifacts/structured-data.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { pointTo, safeText, term } from '../../artifacts/safe-text.js';
import { describePlace } from '../structured-data/positions.js';

/** One place where the markup contradicts the vocabulary or the page. Its description is built only when shown. */
export interface Mismatch {
  readonly page: StructuredPage;
  readonly node: SchemaNode;
  /** A type or property that is misspelt: what it was meant to say is not known to any reader. */
  readonly isMisspelling: boolean;
  readonly describe: () => SafeText;
}

/** How many mismatches are compared to tell the same of several in one sentence. */
const COMPARED_MAX = 200;

/** "Home page, block 1: price of the Offer is not a number (3 times).": the first kinds, and how many mismatches these are. */
export function describeMismatches(
  mismatches: readonly Mismatch[],
  kindsMax: number,
): { readonly told: readonly SafeText[]; readonly toldCount: number } {
  const kinds = [...Map.groupBy(mismatches.slice(0, COMPARED_MAX).map(describeMismatch), ({ text }) => text).values()];
  const shown = kinds.slice(0, kindsMax);
  return {
    told: shown.map((same) => {
      const text = pointTo(same[0] ?? term(''), ...same.slice(1).flatMap(({ places }) => places));
      return same.length === 1 ? safeText`${text}.` : safeText`${text} (${same.length} times).`;
    }),
    toldCount: shown.reduce((sum, { length }) => sum + length, 0),
  };
}

function describeMismatch({ page, node, describe }: Mismatch): SafeText {
  return safeText`${describePlace(page, node)}: ${describe()}`;
}
