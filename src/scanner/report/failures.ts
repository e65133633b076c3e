import { CHECKS } from '../checks/index.js';
import type { Check } from '../verdict/check.js';
import type { Failure } from '../verdict/failure.js';
import type { Finding } from '../verdict/finding.js';
import type { StandardId } from '../verdict/standards.js';

const CHECKS_BY_ID: ReadonlyMap<string, Check> = new Map(CHECKS.map((check: Check) => [check.id, check]));

/** The check as it is today; none for one that was retired. */
export function checkOf(checkId: string): Check | undefined {
  return CHECKS_BY_ID.get(checkId);
}

/** What judges a check today; nothing for one that was retired. */
export function standardsOf(checkId: string): readonly StandardId[] {
  return checkOf(checkId)?.judgedBy ?? [];
}

/** Every way in which a check can fail today; nothing for one that was retired. */
export function failuresOf(checkId: string): readonly (readonly [string, Failure])[] {
  return Object.entries(checkOf(checkId)?.failures ?? {});
}

/** What today's texts say of a failure; null of anything else, and of one whose check or kind was retired. */
export function failureOf({ checkId, errorType }: Pick<Finding, 'checkId' | 'errorType'>): Failure | null {
  return errorType === null ? null : (checkOf(checkId)?.failures[errorType] ?? null);
}

/** What is wrong, where a finding failed; else the name of its check. */
export function headlineOf(finding: Pick<Finding, 'checkId' | 'errorType' | 'title'>): string {
  return failureOf(finding)?.headline ?? finding.title ?? finding.checkId;
}
