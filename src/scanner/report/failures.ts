import { CHECKS } from '../checks/index.js';
import type { Check } from '../verdict/check.js';
import type { Failure, Failures } from '../verdict/failure.js';
import type { Finding } from '../verdict/finding.js';
import type { StandardId } from '../verdict/standards.js';

const FAILURES: ReadonlyMap<string, Failures> = new Map(CHECKS.map(({ id, failures }: Check) => [id, failures]));

const STANDARDS_OF: ReadonlyMap<string, readonly StandardId[]> = new Map(
  CHECKS.map(({ id, judgedBy }: Check) => [id, judgedBy]),
);

/** What judges a check today; nothing for one that was retired. */
export function standardsOf(checkId: string): readonly StandardId[] {
  return STANDARDS_OF.get(checkId) ?? [];
}

/** Every way in which a check can fail today; nothing for one that was retired. */
export function failuresOf(checkId: string): readonly (readonly [string, Failure])[] {
  return Object.entries(FAILURES.get(checkId) ?? {});
}

/** What today's texts say of a failure; null of anything else, and of one whose check or kind was retired. */
export function failureOf({ checkId, errorType }: Pick<Finding, 'checkId' | 'errorType'>): Failure | null {
  return errorType === null ? null : (FAILURES.get(checkId)?.[errorType] ?? null);
}

/** What is wrong, where a finding failed; else the name of its check. */
export function headlineOf(finding: Pick<Finding, 'checkId' | 'errorType' | 'title'>): string {
  return failureOf(finding)?.headline ?? finding.title ?? finding.checkId;
}
