import type { JSX } from 'preact';
import { utcDay } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { Icon } from '../html/icons.js';
import { PageHeader } from '../html/page-header.js';
import { pageCountOf } from '../html/pager.js';
import type { Page } from '../server/page.js';
import { sessionOf } from '../server/session.js';
import type { Part } from '../server/page-part.js';
import { addressOf } from '../server/site-paths.js';
import { AddForm } from './sites-new.js';
import { Steps } from './site-verify.js';
import { bulkChoices } from './sites-bulk-actions.js';
import { CSV_TYPE, formatSitesAsCsv } from './csv.js';
import { offerText } from './offer-file.js';
import { SiteList, sitesAPage } from './sites-list.js';
import {
  failuresOf,
  FILTERS,
  hrefOf,
  isNarrowed,
  type ListedSite,
  listedSitesOf,
  sitesOf,
  type SitesView,
  viewOf,
} from './sites-view.js';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import { memoized } from '../html/memoized.js';
import type { CheckResult } from '../../app/runs/run-rows.js';

/** The list of an account's sites: those with new failures first. */
const NOTICES = { removed: 'The site and its runs are removed.' };

export const addSitesPage: Part = (router, deps) => {
  const { history, schedules, siteNotes, clock, sendPage } = deps;
  addTable(router, deps);

  router.get('/sites', async (ctx) => {
    const { id: accountId, plan } = sessionOf(ctx).account;
    const overviews = await history.overview(accountId);
    if (overviews.length === 0) {
      sendPage(ctx, noSitesPage());
      return;
    }
    const all = listedSitesOf(overviews);
    const asked = viewOf(ctx);
    const found = sitesOf(asked, all);
    const pageSize = sitesAPage(found);
    const view = { ...asked, page: Math.min(asked.page, pageCountOf(found.length, pageSize)) };
    const shown = found.slice((view.page - 1) * pageSize, view.page * pageSize);
    const [trends, nextRuns] = await Promise.all([
      history.trends(shown),
      schedules.nextRuns(shown.map(({ site }) => site.id)),
    ]);
    sendPage(ctx, {
      title: 'Sites',
      notices: NOTICES,
      header: (
        <PageHeader title={outcomeOf(all)} actions={<Actions view={view} />}>
          {found.length > 0 && <WhereSitesFail sites={all} view={view} />}
        </PageHeader>
      ),
      main: (
        <div class="w">
          <SiteList
            {...{ view, all, found, shown, trends, nextRuns, notes: siteNotes }}
            choices={bulkChoices(plan)}
            now={clock.now()}
          />
        </div>
      ),
    });
  });
};

/** The list as a table, as it is filtered and sorted. */
const addTable: Part = (router, { history, clock }) => {
  router.get('/sites.csv', async (ctx) => {
    const all = listedSitesOf(await history.overview(sessionOf(ctx).account.id));
    const name = `agent-readiness-sites-${utcDay(clock.now())}.csv`;
    offerText(ctx, { body: formatSitesAsCsv(sitesOf(viewOf(ctx), all)), type: CSV_TYPE, name });
  });
};

/** `40 sites, 3 shut agents out, 2 with new failures` */
function outcomeOf(sites: readonly ListedSite[]): string {
  const isAlone = sites.length === 1;
  const count = (filter: (typeof FILTERS)[keyof typeof FILTERS]): number => sites.filter(filter[1]).length;
  const [shut, worse, unscored] = [count(FILTERS.shut), count(FILTERS.worse), count(FILTERS.unscored)];
  const news = [
    ...(shut > 0 ? [isAlone ? 'and it shuts agents out' : `${shut} ${shut === 1 ? 'shuts' : 'shut'} agents out`] : []),
    ...(worse > 0 ? [isAlone ? 'with new failures' : `${worse} with new failures`] : []),
    ...(unscored > 0 ? [isAlone ? 'without a score' : `${unscored} without a score`] : []),
  ];
  const better = sites.filter(({ state }) => state === 'better').length;
  if (news.length === 0 && better > 0) news.push(isAlone ? 'and it got better' : `${better} got better`);
  const hasRun = sites.some(({ state }) => state !== 'new' && state !== 'unverified');
  if (news.length === 0) news.push(hasRun ? 'no new failures' : 'no run yet');
  return [countOf(sites.length, 'site'), ...news.slice(0, 2)].join(', ');
}

function Actions({ view }: { readonly view: SitesView }): JSX.Element {
  return (
    <>
      <a class="btn quiet" href={hrefOf(view, {}, '/sites.csv')}>
        CSV
      </a>
      <a class="btn" href="/sites/new">
        <Icon name="plus" />
        Add a site
      </a>
    </>
  );
}

function noSitesPage(): Page {
  return {
    title: 'Sites',
    notices: NOTICES,
    header: (
      <PageHeader
        title="No site yet"
        lead="Add one, and see what AI agents can find, read, trust and use on it, and how to fix the rest."
      >
        <AddForm />
        <p class="small more">
          <a href={addressOf.addMany}>Add many at once</a>
        </p>
        <p class="small">
          Not sure yet? <a href="/">Try a free scan first</a>
        </p>
      </PageHeader>
    ),
    main: (
      <div class="w">
        <Steps at={0} />
      </div>
    ),
  };
}

/** From so many sites on this says more than their rows. */
const SITES_MIN = 3;
const RANK_MAX = 3;

/** The failures that most of the sites have. Each leads to its sites. Nothing once the reader has narrowed the list. */
const WhereSitesFail = memoized(
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
