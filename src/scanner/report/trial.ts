import type { Finding } from '../verdict/finding.js';
import type { Result } from '../verdict/vocabulary.js';

/** A check whose result the overlay files change. */
export interface TrialChange {
  readonly checkId: string;
  /** Null if the check was not run. */
  readonly before: Result | null;
  readonly after: Result;
}

const TRIAL_NOTE =
  'Nothing on the site was changed: this is the result as if what you gave were live. Server rules, such as a firewall or header fields for new files, are not tested.';

const PATH_CHARS_SHOWN = 100;

/**
 * Describes what a trial leaves open, since its result depends on how the files are served.
 * @param replaced a path for each error status that the site answers today where a file would be; 0 is no response
 */
export function describeTrial(replaced: ReadonlyMap<number, string>): string {
  const today = Array.from(replaced, ([status, path]) => {
    const name = path.length > PATH_CHARS_SHOWN ? `${path.slice(0, PATH_CHARS_SHOWN)}…` : path;
    return `${name} ${status === 0 ? 'does not answer' : `answers ${status}`} today.`;
  });
  return [TRIAL_NOTE, ...today].join(' ');
}

export function listTrialChanges(before: readonly Finding[], after: readonly Finding[]): TrialChange[] {
  const resultsBefore = new Map(before.map(({ checkId, result }) => [checkId, result]));
  return after.flatMap(({ checkId, result }) => {
    const earlier = resultsBefore.get(checkId) ?? null;
    return earlier === result ? [] : [{ checkId, before: earlier, after: result }];
  });
}
