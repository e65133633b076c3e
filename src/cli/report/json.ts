import type { Change, Comparison } from '../../scanner/report/comparison.js';
import { formatJson } from '../table.js';
import type { Report } from './document.js';

/** The report for programs: `--save` writes it and `--compare` reads it. */
export function formatAsJson({ document, comparison }: Report): string {
  return formatJson(comparison ? { ...document, comparison: idsOf(comparison) } : document);
}

/** The lists for scripts: check ids only. */
function idsOf(comparison: Comparison): Record<string, readonly string[] | boolean> {
  const { newFailures, fixed, nowJudged, unchanged, changed, notComparable, hasOtherPages } = comparison;
  const ids = (changes: readonly Change[]): string[] => changes.map(({ checkId }) => checkId);
  return {
    newFailures: ids(newFailures),
    fixed: ids(fixed),
    nowJudged: ids(nowJudged),
    unchanged: ids(unchanged),
    changed: ids(changed),
    notComparable,
    ...(hasOtherPages && { hasOtherPages }),
  };
}
