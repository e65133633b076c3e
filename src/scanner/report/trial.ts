import type { Finding } from '../verdict/finding.js';
import type { Result } from '../verdict/vocabulary.js';

/** A check whose result differs with the overlay files. */
export interface TrialChange {
  readonly checkId: string;
  /** Null if the check was not run. */
  readonly before: Result | null;
  readonly after: Result;
}

/** Said with every trial, since its result depends on how the files are served. */
export const TRIAL_NOTE =
  'Nothing was changed on the site: this is the result if it served the files. Rules of the server, such as a firewall or the header fields that it adds, are not tried.';

export function changesOf(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const was = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = was.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}
