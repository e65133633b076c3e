import { readNextRuns } from '../../app/automation/schedules.js';
import { headlineOf } from '../../scanner/report/failures.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { utcDay } from '../../platform/clock.js';
import { PageHeader } from '../html/page-header.js';
import { Legend } from '../html/pins.js';
import type { AddRoutes, FieldErrors, Page, RouteDeps, WebContext } from '../server/page.js';
import { fieldOf, fieldsOf, sendPage, sessionOf } from '../server/routes.js';
import {
  CSV_TYPE,
  FILTERS,
  formatSitesAsCsv,
  hrefOf,
  isFiltered,
  type ListedSite,
  toListedSites,
  findSites,
  type SitesView,
  parseView,
  searchSites,
} from './sites-view.js';
import { addressOf } from '../server/paths.js';
import { sendDownload } from '../server/send-text.js';
import { AddForm } from './sites-add.js';
import { actionsFor } from './sites-bulk-actions.js';
import { Steps } from './site-verify.js';
import { SiteTable } from './sites-list.js';
import { BulkForm, Filters, NothingFound, Pages, SITES_A_PAGE } from './sites-tools.js';
import { LinkButton } from '../html/sections.js';

/** Shorter lists have no filters. */
const FILTERED_MIN = 4;
/** Shorter lists do not say how many sites they have. */
const COUNTED_MIN = 10;

const NOTICES = { removed: 'The site and its runs are removed.' };

/** The list of an account's sites: those with new failures first. */
export const addSitesPage: AddRoutes = (router, deps) => {
  router.get('/sites', async (ctx) => sendPage(ctx, await sitesPage(ctx, deps, null)));

  router.get('/sites.csv', async (ctx) => {
    const sites = toListedSites(await deps.history.overview(sessionOf(ctx).account.id));
    const name = `agent-readiness-sites-${utcDay(deps.clock.now())}.csv`;
    sendDownload(ctx, { body: formatSitesAsCsv(findSites(parseView(ctx), sites)), type: CSV_TYPE, name });
  });
};

/** @param errors of a refused bulk action; its form keeps what was chosen */
export async function sitesPage(ctx: WebContext, deps: RouteDeps, errors: FieldErrors | null): Promise<Page> {
  const { db, history, clock } = deps;
  const { id: accountId, plan } = sessionOf(ctx).account;
  const all = toListedSites(await history.overview(accountId));
  if (all.length === 0) return NO_SITES_PAGE;
  const requested = parseView(ctx);
  const found = findSites(requested, all);
  const page = Math.min(requested.page, Math.max(1, Math.ceil(found.length / SITES_A_PAGE)));
  const view = { ...requested, page, isSelecting: requested.isSelecting || errors !== null };
  const shown = found.slice((page - 1) * SITES_A_PAGE, page * SITES_A_PAGE);
  const nextRuns = await readNextRuns(
    db,
    shown.map(({ site }) => site.id),
  );
  const ticked = new Set(fieldsOf(ctx, 'site'));
  const table = <SiteTable {...{ view, found, shown, nextRuns, ticked, now: clock.now() }} />;
  const typed = { all: fieldOf(ctx, 'all'), act: fieldOf(ctx, 'act'), tag: fieldOf(ctx, 'tag') };
  const list = view.isSelecting ? (
    <BulkForm {...{ view, typed }} count={found.length} choices={actionsFor(plan)}>
      {table}
    </BulkForm>
  ) : (
    table
  );
  return {
    title: 'Sites',
    notices: NOTICES,
    error: errors ? Object.values(errors).join(' ') : undefined,
    header: <ListHeader sites={all} view={view} />,
    main: (
      <div class="w">
        {(all.length >= FILTERED_MIN || isFiltered(view)) && <Filters view={view} all={all} />}
        {found.length === 0 ? <NothingFound search={view.search} /> : list}
        {found.length > 0 && (
          <div class="row apart sec">
            <Legend />
            {found.length >= COUNTED_MIN && <Pages view={view} count={found.length} />}
          </div>
        )}
      </div>
    ),
  };
}

interface ListProps {
  readonly sites: readonly ListedSite[];
  readonly view: SitesView;
}

function ListHeader({ sites, view }: ListProps) {
  const { tag } = view;
  return (
    <PageHeader
      title={tag === '' ? summarize(sites) : `#${tag}: ${summarize(searchSites({ ...view, search: '' }, sites))}`}
      actions={
        <>
          {sites.some(FILTERS.unverified[1]) && (
            <LinkButton kind="quiet" href={addressOf.verifyMany} label="DNS records" />
          )}
          <LinkButton kind="quiet" href={hrefOf(view, {}, '/sites.csv')} label="Download CSV" />
          <LinkButton icon="plus" href="/sites/new" label="Add a site" />
        </>
      }
    >
      {!isFiltered(view) && <WhereSitesFail sites={sites} view={view} />}
    </PageHeader>
  );
}

/** Names the two most urgent problems: `3 of 40 sites block AI agents, 2 have new failures`. */
function summarize(sites: readonly ListedSite[]): string {
  const total = sites.length;
  const all = total === 1 ? 'Your site' : `All ${total} sites`;
  const urgent = (
    [
      ['shut', 'blocks AI agents', 'block AI agents'],
      ['worse', 'has new failures', 'have new failures'],
      ['unscored', 'has no score', 'have no score'],
      ['unverified', 'is not verified', 'are not verified'],
      ['new', 'has no runs yet', 'have no runs yet'],
    ] as const
  ).flatMap(([filter, ofOne, ofMany]) => {
    const count = sites.filter(FILTERS[filter][1]).length;
    return count === 0 ? [] : [{ count, words: count === 1 ? ofOne : ofMany }];
  });
  const [first, second] = urgent;
  if (first === undefined) return `No new failures on ${total === 1 ? 'your site' : `your ${total} sites`}`;
  const subject = first.count === total ? all : `${first.count} of ${total} sites`;
  return `${subject} ${first.words}${second === undefined || total === 1 ? '' : `, ${second.count} ${second.words}`}`;
}

const NO_SITES_PAGE: Page = {
  title: 'Sites',
  notices: NOTICES,
  header: (
    <PageHeader
      title="No sites yet"
      lead="Add one, and see what AI agents can find, read, trust and use on it, and how to fix the rest."
    >
      <AddForm />
      <p class="small">
        Not sure yet? <a href="/">Try a free scan first</a>
      </p>
    </PageHeader>
  ),
  main: (
    <div class="w over-text">
      <Steps />
    </div>
  ),
};

/** With fewer sites, the rows say enough. */
const SITES_MIN = 3;
const RANK_MAX = 3;

/** The most common failures, each with a link to its sites. */
function WhereSitesFail({ sites, view }: ListProps) {
  const scored = sites.filter(({ lastScored }) => lastScored);
  const most = countFailures(scored).slice(0, RANK_MAX);
  if (scored.length < SITES_MIN || most.length === 0) return null;
  return (
    <section class="more" aria-labelledby="fails">
      <h2 id="fails">Where your sites fail</h2>
      <ol class="rank">
        {most.map(({ failure, count }) => (
          <li key={failure.checkId}>
            <a href={hrefOf(view, { show: failure.checkId })}>{headlineOf({ ...failure, title: null })}</a>{' '}
            <span class="soft num">{countOf(count, 'site')}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Counts the sites with each scored failure, the most common first. Equal failures are the same object. */
function countFailures(sites: readonly ListedSite[]) {
  const failures = sites.flatMap(({ lastScored }) => lastScored?.toFix ?? []);
  const counts = [...Map.groupBy(failures, (failure) => failure)];
  return counts.map(([failure, { length: count }]) => ({ failure, count })).sort((a, b) => b.count - a.count);
}
