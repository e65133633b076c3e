import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** Why nothing could be determined: what more than half of the findings say, in our own words; null when they do not agree. */
export function commonCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { result, detail } of findings) {
    if (result === 'UNDETERMINED' && detail !== null) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  const most = [...counts].find(([, count]) => count > findings.length / 2);
  return most?.[0] ?? null;
}

/** Why there is no score, in a sentence or two; null where there is one, or where no check was left open. */
export function describeNoScore(findings: readonly Finding[]): string | null {
  const isOpen = findings.some(({ result }) => result === 'UNDETERMINED');
  if (!isOpen || scoreOf(findings) !== null) return null;
  const cause = commonCause(findings);
  return `Nothing could be determined.${cause === null ? '' : ` Most checks say: ${cause}`}`;
}
