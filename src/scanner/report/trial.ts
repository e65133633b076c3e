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
const RULE_ONLY = new Set(['C-BOT-03 UA_REJECTED', 'C-BOT-03 TIMEOUT', 'C-MD-01 WRONG_MIME']);

export function changesOf(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const was = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = was.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}

/** Returns checks that fail before and after, and that only a server rule can fix: files cannot show that fix. */
export function listNotTried(before: readonly Finding[], after: readonly Finding[]): string[] {
  const failing = new Set(before.filter(({ result }) => result === 'FAIL').map(keyOf));
  return after
    .filter((finding) => finding.result === 'FAIL' && failing.has(keyOf(finding)) && RULE_ONLY.has(keyOf(finding)))
    .map(({ checkId }) => checkId);
}

function keyOf({ checkId, errorType }: Finding): string {
  return `${checkId} ${errorType ?? ''}`;
}
