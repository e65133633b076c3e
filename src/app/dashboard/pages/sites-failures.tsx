import type { JSX } from 'preact';
import { headlineOf } from '../../../scanner/report/failures.js';
import { Hang } from '../../../web/kit/components/hang.js';
import type { CheckResult } from '../../runs/run-results.js';
import { hrefOf, type ListedSite, type SitesView } from './sites-view.js';

/** From so many sites on a chart of them says more than their rows. */
const SITES_MIN = 3;
const RANK_MAX = 3;

/** Where the sites fail: the checks that most of them fail, and all checks as a chart. Each leads to its sites. */
export function WhereSitesFail({ sites, view }: { readonly sites: readonly ListedSite[]; readonly view: SitesView }) {
  const judged = sites.flatMap((site) => (site.judged ? [site.judged] : []));
  const failures = judged.flatMap(({ findings }) => findings.filter(({ result }) => result === 'FAIL'));
  if (judged.length < SITES_MIN || failures.length === 0) return null;
  const byCheck = Map.groupBy(failures, ({ checkId }) => checkId);
  const counts = new Map([...byCheck].map(([checkId, failed]) => [checkId, failed.length]));
  const hrefOfCheck = (show: string): string => hrefOf(view, { show, search: '' });
  return (
    <div class="verdict">
      <div>
        <h2 class="over">Where your sites fail</h2>
        <Rank byCheck={byCheck} siteCount={judged.length} hrefOf={hrefOfCheck} />
      </div>
      <Hang counts={counts} siteCount={judged.length} hrefOf={hrefOfCheck} />
    </div>
  );
}

interface RankProps {
  readonly byCheck: ReadonlyMap<string, readonly CheckResult[]>;
  readonly siteCount: number;
  readonly hrefOf: (checkId: string) => string;
}

function Rank({ byCheck, siteCount, hrefOf }: RankProps): JSX.Element {
  const most = [...byCheck].sort(([, a], [, b]) => b.length - a.length).slice(0, RANK_MAX);
  return (
    <ol class="rank">
      {most.map(([checkId, failures]) => (
        <li key={checkId}>
          <a href={hrefOf(checkId)}>{commonestOf(failures)}</a>{' '}
          <span class="soft num">
            {failures.length} of {siteCount} judged
          </span>
        </li>
      ))}
    </ol>
  );
}

/** What is wrong on most of the sites that fail a check. */
function commonestOf(failures: readonly CheckResult[]): string {
  const [commonest] = [...Map.groupBy(failures, ({ errorType }) => errorType).values()].sort(
    (a, b) => b.length - a.length,
  );
  const [failure] = commonest ?? [];
  return failure ? headlineOf({ ...failure, title: null }) : '';
}
