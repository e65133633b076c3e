import type { JSX } from 'preact';
import { FREQUENCIES, mostFrequentOf } from '../../automation/schedule.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan, PLANS } from '../../accounts/plan.js';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import type { Keys } from '../../keys/keys.js';
import type { Sites } from '../../sites/sites.js';
import { formatCount } from '../../../platform/counts.js';
import { TableHead } from '../../../web/kit/components/table.js';
import { capitalise } from '../../../web/kit/format.js';
import { OPERATOR_PATH } from '../../../web/kit/public-pages.js';
import { Facts, RailPart } from '../../../web/kit/components/two.js';

export interface PlanProps {
  readonly plan: Plan;
  readonly monthlyQuotaOf: Keys['monthlyQuotaOf'];
  readonly sitesMaxOf: Sites['sitesMaxOf'];
  /** How many sites the account has; left out where nothing turns on it. */
  readonly siteCount?: number;
}

/** What an account's plan includes, next to a page. */
export function PlanFacts({ plan, monthlyQuotaOf, sitesMaxOf, siteCount }: PlanProps): JSX.Element {
  const { api, evidenceBytesMax } = PLANS[plan];
  return (
    <RailPart title={`Plan ${plan}`}>
      <Facts
        facts={[
          [
            'Sites',
            `${siteCount === undefined ? 'up to' : `${formatCount(siteCount)} of`} ${formatCount(sitesMaxOf(plan))}`,
          ],
          ['Schedule', `as often as ${FREQUENCIES[mostFrequentOf(plan)].label}`],
          ['Manual runs', `${DAILY_RUNS.MANUAL} a site, a day`],
          ['API', api ? `${formatCount(monthlyQuotaOf(plan))} requests a key, a month` : 'not included'],
          api && ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Evidence', `${sizeOf(evidenceBytesMax)}, then the oldest goes`],
        ]}
      />
      <p class="small soft more">
        For another plan, <a href={OPERATOR_PATH}>ask the operator</a>.
      </p>
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

/** The plans side by side, for an account whose plan does not include the API. */
export function PlanTable({ plan: own, monthlyQuotaOf, sitesMaxOf }: PlanProps): JSX.Element {
  const plans = Object.keys(PLANS) as Plan[];
  const rows: readonly (readonly [name: string, value: (plan: Plan) => string])[] = [
    ['API keys', (plan) => (PLANS[plan].api ? `up to ${KEYS_PER_ACCOUNT_MAX}` : 'none')],
    ['Requests a key, a month', (plan) => (PLANS[plan].api ? formatCount(monthlyQuotaOf(plan)) : 'none')],
    ['Sites', (plan) => formatCount(sitesMaxOf(plan))],
    ['Schedule', (plan) => capitalise(FREQUENCIES[mostFrequentOf(plan)].label)],
    ['Evidence', (plan) => sizeOf(PLANS[plan].evidenceBytesMax)],
  ];
  return (
    <table class="plans">
      <caption class="hide">The plans</caption>
      <TableHead
        columns={[
          [<span class="hide">Part</span>],
          ...plans.map((plan) => [plan === own ? `${plan}, yours` : plan] as const),
        ]}
      />
      <tbody>
        {rows.map(([name, valueOf]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {plans.map((plan) => (
              <td key={plan} class={plan === own ? 'soft' : undefined}>
                {valueOf(plan)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sizeOf(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}
