import type { JSX } from 'preact';
import { FREQUENCIES, mostFrequentOf } from '../../automation/schedule.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan, PLANS } from '../../accounts/plan.js';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import type { Keys } from '../../keys/keys.js';
import type { Sites } from '../../sites/sites.js';
import { countOf, formatCount } from '../../../platform/counts.js';
import { Items } from '../../../web/kit/confirm.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';

export interface PlanProps {
  readonly plan: Plan;
  readonly monthlyQuotaOf: Keys['monthlyQuotaOf'];
  readonly sitesMaxOf: Sites['sitesMaxOf'];
}

/** What an account's plan includes, next to a page. */
export function PlanFacts({ plan, monthlyQuotaOf, sitesMaxOf }: PlanProps): JSX.Element {
  const { api, evidenceBytesMax } = PLANS[plan];
  return (
    <RailPart title={`Plan ${plan}`}>
      <Facts
        facts={[
          ['Sites', `up to ${formatCount(sitesMaxOf(plan))}`],
          ['Schedule', `as often as ${FREQUENCIES[mostFrequentOf(plan)].label}`],
          ['Manual runs', `${DAILY_RUNS.MANUAL} a site, a day`],
          ['API', api ? `${formatCount(monthlyQuotaOf(plan))} requests a key, a month` : 'not included'],
          api && ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Evidence', `${sizeOf(evidenceBytesMax)}, then the oldest goes`],
        ]}
      />
      <p class="small soft more">For another plan, ask the operator of this service.</p>
    </RailPart>
  );
}

/** What of it an API key meets. */
export function ApiFacts({ plan, monthlyQuotaOf }: Omit<PlanProps, 'sitesMaxOf'>): JSX.Element {
  return (
    <RailPart title={`Plan ${plan}`}>
      <Facts
        facts={[
          ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Requests a key', `${formatCount(monthlyQuotaOf(plan))} a month`],
          ['Runs by the API', `${DAILY_RUNS.API} a site, a day`],
        ]}
      />
    </RailPart>
  );
}

/** The plans that include the API, for an account whose plan does not. */
export function PlansWithApi({ monthlyQuotaOf, sitesMaxOf }: Omit<PlanProps, 'plan'>): JSX.Element {
  const plans = (Object.keys(PLANS) as Plan[]).filter((plan) => PLANS[plan].api);
  return (
    <Items
      items={plans.map((plan) => [
        'key',
        <>
          <b class="w5">{plan}</b>
          <br />
          <span class="soft small">
            {formatCount(monthlyQuotaOf(plan))} requests a month for each of up to {KEYS_PER_ACCOUNT_MAX} keys, room for{' '}
            {countOf(sitesMaxOf(plan), 'site')} and {sizeOf(PLANS[plan].evidenceBytesMax)} of evidence
          </span>
        </>,
      ])}
    />
  );
}

function sizeOf(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}
