import type { Finding } from '../verdict/finding.js';
import type { Result } from '../verdict/vocabulary.js';

/** A check that comes out otherwise with files than without. */
export interface TrialChange {
  readonly checkId: string;
  /** Null: it was not made. */
  readonly before: Result | null;
  readonly after: Result;
}

/** The checks of what a server decides by its own rules, whatever files it has: by names, and by what is asked for. */
const OF_RULES = new Set(['C-BOT-03', 'C-MD-01']);

/** What files would change. */
export function changesOf(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const was = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = was.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}

/** The checks that fail by a rule of the server, as far as no file helps. */
export function listNotTried(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ checkId, result }) => result === 'FAIL' && OF_RULES.has(checkId))
    .map(({ checkId }) => checkId);
}
