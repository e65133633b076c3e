import type { LinkState } from '../artifacts/llms.js';
import { count, type SafeText, safeText, term } from '../artifacts/safe-text.js';

/** Summary of the links that were followed. */
export interface FollowedLinks<L> {
  readonly dead: readonly L[];
  readonly aliveCount: number;
  readonly isMostlyUnclear: boolean;
  /** Describes links that are neither dead nor alive. `nameLinks` lists where they are. */
  describeUnclear(nameLinks: (links: readonly L[]) => SafeText): (SafeText | null)[];
}

export function summarizeLinks<L extends { readonly state: LinkState }>(followed: readonly L[]): FollowedLinks<L> {
  const inState = (state: LinkState): L[] => followed.filter((link) => link.state === state);
  const [unknown, likeMissing] = [inState('unknown'), inState('likeMissing')];
  return {
    dead: inState('dead'),
    aliveCount: inState('alive').length,
    isMostlyUnclear: (unknown.length + likeMissing.length) * 2 > followed.length,
    describeUnclear: (nameLinks) => [
      unknown.length > 0 ? safeText`${unknown.length} gave no clear result (refused, failed or too slow).` : null,
      likeMissing.length > 0 ? describeLikeMissing(likeMissing.length, nameLinks(likeMissing)) : null,
    ],
  };
}

function describeLikeMissing(n: number, where: SafeText): SafeText {
  const works = n === 1 ? term('it works') : term('they work');
  return safeText`${count(n, 'link leads', 'links lead')} to the page that the site shows for unknown addresses, so we cannot tell whether ${works}: ${where}. Return 404 for addresses that do not exist.`;
}
