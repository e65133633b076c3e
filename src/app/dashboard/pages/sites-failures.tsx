import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { failureOf, headlineOf } from '../../../scanner/report/failures.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Hang } from '../../../web/kit/components/hang.js';
import { keptPart } from '../../../web/kit/kept-part.js';
import type { CheckResult } from '../../runs/run-results.js';
import { failuresOf, hrefOf, isNarrowed, type ListedSite, type SitesView } from './sites-view.js';

/** From so many sites on a chart of them says more than their rows. */
const SITES_MIN = 3;
const RANK_MAX = 3;

/**
 * Where the sites fail: the checks that most of them fail, and all checks as a chart. Each leads to its sites. It is folded away on phones,
 * and once the reader has left the whole behind.
 */
export const WhereSitesFail = keptPart(
  Failures,
  ({ sites }) => sites,
  ({ view }) => `${isNarrowed(view)} ${hrefOf(view, { show: 'all', search: '' })}`,
);

interface FailuresProps {
  readonly sites: readonly ListedSite[];
  readonly view: SitesView;
}

function Failures({ sites, view }: FailuresProps): JSX.Element | null {
  const judged = sites.flatMap((site) => (site.judged ? [site.judged] : []));
  const failures = judged.flatMap(({ findings }) => failuresOf(findings).all);
  if (judged.length < SITES_MIN || failures.length === 0) return null;
  const byCheck = Map.groupBy(failures, ({ checkId }) => checkId);
  const counts = new Map([...byCheck].map(([checkId, failed]) => [checkId, failed.length]));
  const most = mostOf(failures);
  const hrefOfCheck = (show: string): string => hrefOf(view, { show, search: '' });
  return (
    <>
      <label class={isNarrowed(view) ? 'show fails on' : 'show fails'}>
        <input type="checkbox" class="hide" />
        <Icon name="right" />
        <span>Where your sites fail</span>
      </label>
      <div class="verdict">
        <div>
          <h2 class="over">Where your sites fail</h2>
          <Rank most={most} hrefOf={hrefOfCheck} />
          {judged.length < sites.length && (
            <p class="soft small">Of the {judged.length} with a score, now or before.</p>
          )}
        </div>
        <Hang
          counts={counts}
          named={new Set(most.flatMap(([failure]) => failure?.checkId ?? []))}
          siteCount={judged.length}
          hrefOf={hrefOfCheck}
        />
      </div>
    </>
  );
}

/** What is wrong on most of them, each with all of its failures. */
function mostOf(failures: readonly CheckResult[]): readonly CheckResult[][] {
  const byKind = Map.groupBy(failures, (failure) => failureOf(failure) ?? failure.checkId);
  return [...byKind.values()].sort((a, b) => b.length - a.length).slice(0, RANK_MAX);
}

interface RankProps {
  readonly most: readonly CheckResult[][];
  readonly hrefOf: (checkId: string) => string;
}

/** The same in words. */
function Rank({ most, hrefOf }: RankProps): JSX.Element {
  return (
    <ol class="rank">
      {most.flatMap(([failure, ...others]) =>
        failure === undefined ? (
          []
        ) : (
          <li key={`${failure.checkId} ${failure.errorType}`}>
            <a href={hrefOf(failure.checkId)}>{headlineOf({ ...failure, title: null })}</a>{' '}
            <span class="soft num">{countOf(others.length + 1, 'site')}</span>
          </li>
        ),
      )}
    </ol>
  );
}
