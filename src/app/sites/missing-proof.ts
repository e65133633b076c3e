import { countOf } from '../../scanner/artifacts/counts.js';
import type { ProofLocations } from './proof.js';
import type { MissingProof } from './site.js';

/**
 * Why a proof was not found. `absent`: DNS or the site answered without it. `gone`: the name no longer exists in DNS. `unread`: we do not
 * know, because nothing answered or the site refused us.
 */
export type ProofProblem = 'absent' | 'gone' | 'unread';

/** Days without proof after which ownership is lost, by the result of the last check. */
export const LOST_ON_DAY: Readonly<Record<ProofProblem, number>> = { absent: 2, gone: 3, unread: 30 };

/** A message to the owner about a proof that was not found. */
export interface MissingProofNotice {
  readonly since: string;
  readonly problem: ProofProblem;
  readonly countedDays: number;
  readonly daysLeft: number;
  /** Where to publish the proof. Its text is on the site's page. */
  readonly proof: ProofLocations;
}

/** A message to the owner about lost ownership. */
export interface LossNotice {
  readonly reason: ProofProblem;
}

/** Says how long the proof has been missing. The sentence has no full stop. */
export function describeMissing({ days }: MissingProof): string {
  return `We have not found your proof on ${countOf(days, 'day')}`;
}

/** Says when ownership will be lost. The problem is not stored, so the text names all three cases. */
export function describeDeadlines({ days }: Pick<MissingProof, 'days'>): string {
  const { absent, gone, unread } = LOST_ON_DAY;
  return `${describeDeadline(unread - days)} This happens on day ${absent} if the site answers without the proof, and on day ${gone} if its name no longer exists.`;
}

/** Says when ownership will be lost if the proof stays missing. */
export function describeDeadline(daysLeft: number): string {
  return `In ${countOf(daysLeft, 'day')} the site will no longer be verified, and no run starts until it is.`;
}
