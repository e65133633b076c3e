import type { Finding } from '../verdict/finding.js';
import type { Result } from '../verdict/vocabulary.js';

/** A check whose result the overlay files change. */
export interface TrialChange {
  readonly checkId: string;
  /** Null if the check was not run. */
  readonly before: Result | null;
  readonly after: Result;
}

/** Shown with every trial, since its result depends on how the files are served. */
export const TRIAL_NOTE =
  'Nothing on the site was changed: this is the result if it served the files. Server rules, such as a firewall or added header fields, are not tested.';

export function listTrialChanges(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const resultsBefore = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = resultsBefore.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}
