import type { JSX } from 'preact';
import { FREQUENCIES, mostFrequentOf } from '../../app/automation/schedule.js';
import { KEYS_PER_ACCOUNT_MAX, type Plan, PLANS } from '../../app/accounts/plan.js';
import { DAILY_RUNS } from '../../app/limits/daily-runs.js';
import type { Keys } from '../../app/keys/keys.js';
import type { Sites } from '../../app/sites/sites.js';
import { formatCount } from '../../scanner/artifacts/counts.js';
import { formatMoment } from '../html/format.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { Group } from '../html/mast.js';
import { Facts, RailPart } from '../html/two.js';
import { UseBar } from '../html/use-bar.js';

export interface PlanProps {
  readonly plan: Plan;
  readonly monthlyQuotaOf: Keys['monthlyQuotaOf'];
  readonly sitesMaxOf: Sites['sitesMaxOf'];
}

/** What an account's plan includes, and how much of it is used. */
export function OwnPlan({
  plan,
  monthlyQuotaOf,
  sitesMaxOf,
  siteCount,
}: PlanProps & { readonly siteCount: number }): JSX.Element {
  const { api, evidenceBytesMax } = PLANS[plan];
  const sitesMax = sitesMaxOf(plan);
  return (
    <Group title={`Plan ${plan}`} meaning="what it includes">
      <Facts
        facts={[
          [
            'Sites',
            <>
              <b>{formatCount(siteCount)}</b> of {formatCount(sitesMax)}
              <UseBar used={siteCount} max={sitesMax} />
            </>,
          ],
          ['Schedule', `as often as ${FREQUENCIES[mostFrequentOf(plan)].label}`],
          ['Manual runs', `${DAILY_RUNS.MANUAL} a site, a day`],
          ['API', api ? `${formatCount(monthlyQuotaOf(plan))} requests a key, a month` : 'not included'],
          api && ['API keys', `up to ${KEYS_PER_ACCOUNT_MAX}`],
          ['Evidence', `${sizeOf(evidenceBytesMax)}, then the oldest goes`],
        ]}
      />
      <p class="more">
        <a class="btn quiet" href={OPERATOR_PATH}>
          Change plan
        </a>
      </p>
    </Group>
  );
}

export interface ApiFactsProps extends Pick<PlanProps, 'plan'> {
  /** When the count of requests starts again: ISO 8601, UTC. */
  readonly renewsAt: string;
  readonly now: Date;
}

/** What of it an API key meets, apart from what its row says. */
export function ApiFacts({ plan, renewsAt, now }: ApiFactsProps): JSX.Element {
  return (
    <RailPart title={`Plan ${plan}`}>
      <Facts
        facts={[
          ['Runs by the API', `${DAILY_RUNS.API} a site, a UTC day`],
          ['Requests start again', `${formatMoment(renewsAt, now.toISOString())} UTC`],
        ]}
      />
    </RailPart>
  );
}

function sizeOf(bytes: number): string {
  const megabytes = bytes / 1_000_000;
  return megabytes < 1000 ? `${megabytes} MB` : `${megabytes / 1000} GB`;
}
