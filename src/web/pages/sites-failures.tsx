import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import { keptPart } from '../html/kept-part.js';
import type { CheckResult } from '../../app/runs/run-rows.js';
import { failuresOf, hrefOf, isNarrowed, type ListedSite, type SitesView } from './sites-view.js';

/** From so many sites on this says more than their rows. */
const SITES_MIN = 3;
const RANK_MAX = 3;

/** The failures that most of the sites have. Each leads to its sites. Nothing once the reader has narrowed the list. */
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
  if (isNarrowed(view) || judged.length < SITES_MIN || failures.length === 0) return null;
  return (
    <section class="fails" aria-labelledby="fails">
      <h2 class="over" id="fails">
        Where your sites fail
      </h2>
      <Rank most={mostOf(failures)} hrefOf={(show) => hrefOf(view, { show, search: '' })} />
      {judged.length < sites.length && <p class="soft small">Of the {judged.length} with a score, now or before.</p>}
    </section>
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
