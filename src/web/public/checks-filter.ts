import type { Check } from '../../scanner/verdict/check.js';
import { namedFailures, SEVERITIES, type Severity } from '../../scanner/verdict/failure.js';
import { nameStandard } from '../../scanner/verdict/standards.js';

/** Which checks somebody wants to see. */
export interface ChecksFilter {
  /** Words that must all be said of a check; empty: any. */
  readonly find: string;
  /** What it can fail with; null: anything. */
  readonly severity: Severity | null;
}

/** Longer texts are cut. */
const FIND_CHARS_MAX = 100;

export function readFilter(find: string, severity: string): ChecksFilter {
  return {
    find: find.trim().slice(0, FIND_CHARS_MAX),
    severity: Object.hasOwn(SEVERITIES, severity) ? (severity as Severity) : null,
  };
}

export function filterChecks(checks: readonly Check[], { find, severity }: ChecksFilter): readonly Check[] {
  const words = find.toLowerCase().split(/\s+/);
  return checks.filter((check) => {
    if (severity !== null && !canFailWith(check, severity)) return false;
    const text = textOf(check);
    return words.every((word) => text.includes(word));
  });
}

export function canFailWith(check: Check, severity: Severity): boolean {
  return namedFailures(check).some((failure) => failure.severity === severity);
}

/** All that the page says of a check, in lower case. */
function textOf(check: Check): string {
  const { id, title, explanation, judgedBy } = check;
  const failures = namedFailures(check).map(({ errorType, headline }) => `${errorType} ${headline}`);
  return [id, title, explanation, ...judgedBy.map(nameStandard), ...failures].join('\n').toLowerCase();
}
