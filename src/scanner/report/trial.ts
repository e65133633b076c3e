import type { Finding } from '../verdict/finding.js';
import type { Result } from '../verdict/vocabulary.js';

/** A check whose result differs with the overlay files. */
export interface TrialChange {
  readonly checkId: string;
  /** Null if the check was not run. */
  readonly before: Result | null;
  readonly after: Result;
}

/** Failures that only a server rule can fix, never a file. A test compares the list with the examples of all checks. */
const OF_RULES = new Set(['C-BOT-03 UA_REJECTED', 'C-BOT-03 TIMEOUT', 'C-MD-01 WRONG_MIME']);

export function changesOf(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const was = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = was.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}

/** Returns checks that fail before and after, and that only a server rule can fix: the files could not show it. */
export function listNotTried(before: readonly Finding[], after: readonly Finding[]): string[] {
  const failing = new Set(before.filter(({ result }) => result === 'FAIL').map(kindOf));
  return after
    .filter((finding) => finding.result === 'FAIL' && failing.has(kindOf(finding)) && OF_RULES.has(kindOf(finding)))
    .map(({ checkId }) => checkId);
}

function kindOf({ checkId, errorType }: Finding): string {
  return `${checkId} ${errorType ?? ''}`;
}
