import type { Finding } from '../../scanner/verdict/finding.js';
import type { PartDeps } from '../server/page-part.js';
import type { AcceptedFailure } from '../../app/triage/accepted-failures.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { isRunning, type Recheck } from '../../app/triage/rechecks.js';

/** What belongs to the findings of a site's latest run. */
export interface Annotations {
  /** A check that is being made again, by its id. */
  readonly pending: string | null;
  recheckOf(finding: Finding): Recheck | null;
  /** Whether a failure was gone when its check was made again. */
  isFixed(finding: Finding): boolean;
  /** Whether any failure is. */
  readonly hasFixed: boolean;
  acceptedOf(finding: Finding): AcceptedFailure | null;
  /** What is accepted although that run did not find it. */
  readonly acceptedUnseen: readonly AcceptedFailure[];
}

export async function readAnnotations(
  { rechecks, acceptedFailures }: Pick<PartDeps, 'rechecks' | 'acceptedFailures'>,
  site: OwnSite,
  findings: readonly Finding[],
): Promise<Annotations> {
  const [made, accepted] = await Promise.all([rechecks.list(site), acceptedFailures.list(site)]);
  const recheckOf = ({ checkId }: Finding): Recheck | null =>
    made.find((recheck) => recheck.checkId === checkId) ?? null;
  const isFixed = (finding: Finding): boolean => finding.result === 'FAIL' && recheckOf(finding)?.result === 'PASS';
  return {
    pending: made.find(isRunning)?.checkId ?? null,
    recheckOf,
    isFixed,
    hasFixed: findings.some(isFixed),
    acceptedOf: (finding) => accepted.find((one) => isOf(one, finding)) ?? null,
    acceptedUnseen: accepted.filter((one) => !findings.some((finding) => isOf(one, finding))),
  };
}

function isOf(accepted: AcceptedFailure, { checkId, result, errorType }: Finding): boolean {
  return result === 'FAIL' && accepted.checkId === checkId && accepted.errorType === errorType;
}
