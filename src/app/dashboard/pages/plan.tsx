import type { JSX } from 'preact';
import { FREQUENCIES, mostFrequentOf } from '../../automation/schedule.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan, PLANS } from '../../accounts/plan.js';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import type { Keys } from '../../keys/keys.js';
import type { Sites } from '../../sites/sites.js';
import { countOf, formatCount } from '../../../platform/counts.js';

export interface PlanProps {
  readonly plan: Plan;
  readonly monthlyQuotaOf: Keys['monthlyQuotaOf'];
  readonly sitesMaxOf: Sites['sitesMaxOf'];
}

type Limits = Omit<PlanProps, 'plan'>;

/** What an account's plan includes, and what FREE lacks, in words. */
export function PlanWords({ plan, ...limits }: PlanProps): JSX.Element {
  return (
    <>
      <p>
        Your plan is <strong>{plan}</strong>. It includes for each site a schedule as often as{' '}
        {FREQUENCIES[mostFrequentOf(plan)].label} and up to {DAILY_RUNS.MANUAL} manual runs a day
        {PLANS[plan].api ? `, and ${apiWords(limits.monthlyQuotaOf(plan))}.` : ', but no API.'} It has room for{' '}
        {roomWords(plan, limits)}, of which the oldest goes when there is more.
      </p>
      {!PLANS[plan].api && <WithoutApi {...limits} />}
    </>
  );
}

/** What an account without the API is missing, and how to get it. */
function WithoutApi(limits: Limits): JSX.Element {
  const others = (Object.keys(PLANS) as Plan[]).filter((plan) => PLANS[plan].api);
  return (
    <>
      <p>
        Without the API, no program of yours can start a run and wait for what it finds, or read your runs: that is done
        on the pages of your sites. These plans include it:
      </p>
      <ul>
        {others.map((plan) => (
          <li key={plan}>
            <strong>{plan}</strong>: {apiWords(limits.monthlyQuotaOf(plan))}, and room for {roomWords(plan, limits)}
          </li>
        ))}
      </ul>
      <p>The operator of this service changes an account's plan.</p>
    </>
  );
}

function roomWords(plan: Plan, { sitesMaxOf }: Limits): string {
  const megabytes = PLANS[plan].evidenceBytesMax / 1_000_000;
  const size = megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
  return `${countOf(sitesMaxOf(plan), 'site')} and ${size} of evidence`;
}

function apiWords(monthlyQuota: number): string {
  return `the API, with ${formatCount(monthlyQuota)} requests a month for each of up to ${KEYS_PER_ACCOUNT_MAX} keys`;
}
