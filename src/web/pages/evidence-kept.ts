import { laterThan } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { FindingProps } from './finding-props.js';

const DAY_MS = 86_400_000;

/** `21 February`, in UTC. @param at ISO 8601 */
export function keptUntil(at: string, evidenceDays: number): string {
  const end = new Date(laterThan(new Date(at), evidenceDays * DAY_MS));
  return end.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
}

/** Why nothing of the site is quoted for a finding that should have it. */
export function describeNoEvidence({ site, report, evidenceDays, now }: FindingProps): string {
  if (site.verifiedAt === null) {
    return 'Nothing is quoted: only the verified owner of a domain may see what its site said, and this one is not verified now.';
  }
  if (evidenceDays === 0) return 'This service keeps no requests.';
  const { finishedAt, startedAt } = report.response.run;
  const isExpired = laterThan(new Date(finishedAt ?? startedAt), evidenceDays * DAY_MS) <= now.toISOString();
  if (isExpired)
    return `The requests are gone: they are kept for ${countOf(evidenceDays, 'day')}. The next run keeps its own.`;
  const again = report.nextNumber === null ? ' Check again to record it.' : '';
  return `No request is kept for this finding.${again}`;
}
