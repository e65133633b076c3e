import type { JSX } from 'preact';
import { FREQUENCIES, mostFrequentOf } from '../../automation/schedule.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan, PLANS } from '../../accounts/plan.js';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import type { Keys } from '../../keys/keys.js';
import type { Sites } from '../../sites/sites.js';
import { countOf, formatCount } from '../../../platform/counts.js';
import { Icon } from '../../../web/kit/components/icons.js';

export interface PlanProps {
  readonly plan: Plan;
  readonly monthlyQuotaOf: Keys['monthlyQuotaOf'];
  readonly sitesMaxOf: Sites['sitesMaxOf'];
}

/** What an account's plan includes, next to a page. */
export function PlanFacts({ plan, monthlyQuotaOf, sitesMaxOf }: PlanProps): JSX.Element {
  const { api, evidenceBytesMax } = PLANS[plan];
  return (
    <section>
      <h2>Plan {plan}</h2>
      <dl class="dl">
        <dt>Sites</dt>
        <dd>up to {formatCount(sitesMaxOf(plan))}</dd>
        <dt>Schedule</dt>
        <dd>as often as {FREQUENCIES[mostFrequentOf(plan)].label}</dd>
        <dt>Manual runs</dt>
        <dd>{DAILY_RUNS.MANUAL} a site, a day</dd>
        <dt>API</dt>
        <dd>{api ? `${formatCount(monthlyQuotaOf(plan))} requests a key, a month` : 'not included'}</dd>
        {api && (
          <>
            <dt>API keys</dt>
            <dd>up to {KEYS_PER_ACCOUNT_MAX}</dd>
          </>
        )}
        <dt>Evidence</dt>
        <dd>{sizeOf(evidenceBytesMax)}, then the oldest goes</dd>
      </dl>
      <p class="small soft more">For another plan, ask the operator of this service.</p>
    </section>
  );
}

/** What of it an API key meets. */
export function ApiFacts({ plan, monthlyQuotaOf }: Omit<PlanProps, 'sitesMaxOf'>): JSX.Element {
  return (
    <section>
      <h2>Plan {plan}</h2>
      <dl class="dl">
        <dt>API keys</dt>
        <dd>up to {KEYS_PER_ACCOUNT_MAX}</dd>
        <dt>Requests a key</dt>
        <dd>{formatCount(monthlyQuotaOf(plan))} a month</dd>
        <dt>Runs by the API</dt>
        <dd>{DAILY_RUNS.API} a site, a day</dd>
      </dl>
    </section>
  );
}

/** The plans that include the API, for an account whose plan does not. */
export function PlansWithApi({ monthlyQuotaOf, sitesMaxOf }: Omit<PlanProps, 'plan'>): JSX.Element {
  const plans = (Object.keys(PLANS) as Plan[]).filter((plan) => PLANS[plan].api);
  return (
    <ul class="items">
      {plans.map((plan) => (
        <li key={plan}>
          <Icon name="key" />
          <span>
            <b class="w5">{plan}</b>
            <br />
            <span class="soft small">
              {formatCount(monthlyQuotaOf(plan))} requests a month for each of up to {KEYS_PER_ACCOUNT_MAX} keys, room
              for {countOf(sitesMaxOf(plan), 'site')} and {sizeOf(PLANS[plan].evidenceBytesMax)} of evidence
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function sizeOf(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}
