import type { SafeText } from '../../artifacts/safe-text.js';
import { joinSafeText, listSafeText, safeText } from '../../artifacts/safe-text.js';

/** One preference for AI use, in whatever convention. */
export interface Declaration {
  /** The convention. */
  readonly name: 'Content-Signal' | 'Content-Usage' | 'TDMRep' | 'RSL' | 'a policy token';
  /**
   * usable: a reader can act on it. faulty: no reader can. cut: longer than is read. closed: it is for paths that may not be crawled,
   * so it does not exist (draft-ietf-aipref-attach-05).
   */
  readonly state: 'usable' | 'faulty' | 'cut' | 'closed';
  /** Where it is. */
  readonly place: SafeText;
  /** Why it is faulty. */
  readonly fault?: SafeText;
}

const FAULTS_NAMED = 3;

/** "line 2 of robots.txt (…) and a header of the home page (…)". */
export function describeFaults(faulty: readonly Declaration[]): SafeText {
  const rest = faulty.length - FAULTS_NAMED;
  const named = faulty
    .slice(0, FAULTS_NAMED)
    .map(({ place, fault }) => (fault ? joinSafeText([place, safeText`(${fault})`], ' ') : place));
  return listSafeText(rest > 0 ? [...named, safeText`${rest} more`] : named);
}
