import type { JSX } from 'preact';
import type { SiteOverview } from '../../runs/history.js';
import type { Site } from '../../sites/site.js';
import { Table } from '../../../web/kit/components/table.js';
import { Notice, Time } from '../../../web/kit/components/text.js';
import { queryOf } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { countOf } from '../../../platform/counts.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { parseNumber } from '../../sites/pages/asked-site.js';
import { describeUnread } from '../../sites/unread-proof-words.js';
import { Sparkline } from './chart.js';
import { NextRun } from '../../automation/pages/next-run.js';

const SITES_A_PAGE = 50;

/** The list of an account's sites. */
export const addListPage: Part = (router, { history, schedules, clock, sendPage }) => {
  router.get('/sites', async (ctx) => {
    const { id: accountId } = sessionOf(ctx).account;
    const [sites, nextRuns] = await Promise.all([history.overview(accountId), schedules.nextRuns(accountId)]);
    const pageCount = Math.max(1, Math.ceil(sites.length / SITES_A_PAGE));
    const page = Math.min(parseNumber(queryOf(ctx, 'page')) ?? 1, pageCount);
    const shown = sites.slice((page - 1) * SITES_A_PAGE, page * SITES_A_PAGE);
    sendPage(ctx, {
      title: 'Sites',
      main: (
        <>
          {queryOf(ctx, 'notice') === 'removed' && (
            <Notice>
              <p>The site and its runs were removed.</p>
            </Notice>
          )}
          <Heading>Sites</Heading>
          {sites.length === 0 ? (
            <NoSites />
          ) : (
            <SiteTable sites={shown} count={sites.length} {...{ nextRuns }} now={clock.now()} />
          )}
          {pageCount > 1 && <Pager page={page} pageCount={pageCount} />}
          {sites.length > 0 && (
            <p>
              <a class="btn" href="/sites/new">
                Add a site
              </a>
            </p>
          )}
        </>
      ),
    });
  });
};

function NoSites(): JSX.Element {
  return (
    <>
      <p>
        You have no site here yet. Add one, prove that its domain is yours, and start the first run: it tells you
        whether AI agents can find, read, trust and use the site.
      </p>
      <p>
        <a class="btn" href="/sites/new">
          Add your first site
        </a>
      </p>
    </>
  );
}

interface SiteTableProps {
  readonly sites: readonly SiteOverview[];
  /** Of all sites, those on other pages among them. */
  readonly count: number;
  /** By site id. */
  readonly nextRuns: ReadonlyMap<string, string>;
  readonly now: Date;
}

function SiteTable({ sites, count, nextRuns, now }: SiteTableProps): JSX.Element {
  return (
    <Table
      caption={<>{countOf(count, 'site')}, in the order in which they were added</>}
      head={[['Site'], ['Score', 'number'], ['Trend'], ['Last run'], ['Next run']]}
    >
      {sites.map((overview) => (
        <SiteRow key={overview.site.id} overview={overview} nextRunAt={nextRuns.get(overview.site.id)} now={now} />
      ))}
    </Table>
  );
}

interface SiteRowProps {
  readonly overview: SiteOverview;
  readonly nextRunAt: string | undefined;
  readonly now: Date;
}

function SiteRow({ overview, nextRunAt, now }: SiteRowProps): JSX.Element {
  const { site, trend } = overview;
  const last = trend.at(-1);
  return (
    <tr>
      <th scope="row">
        <a href={addressOf.site(site.id)}>{site.hostname}</a>
      </th>
      <td class="number" data-label="Score">
        {last && (last.score ?? 'no score')}
      </td>
      <td data-label="Trend">{trend.length > 1 && <Sparkline runs={trend} />}</td>
      <td data-label="Last run">
        {last && <Time at={last.finishedAt} now={now} />}
        {(!last || site.ownershipLostAt !== null) && <Missing site={site} />}
        {site.unreadProof && <a href={addressOf.site(site.id)}> {describeUnread(site.unreadProof)}</a>}
      </td>
      <td data-label="Next run">
        {nextRunAt !== undefined && (site.verifiedAt === null ? 'once verified' : <NextRun at={nextRunAt} now={now} />)}
      </td>
    </tr>
  );
}

function Missing({ site }: { readonly site: Site }): JSX.Element {
  if (site.ownershipLostAt !== null) return <a href={addressOf.verify(site.id)}> No longer verified: verify again</a>;
  if (site.verifiedAt === null) return <a href={addressOf.verify(site.id)}>Not verified yet: verify {site.hostname}</a>;
  return <>No run yet</>;
}

function Pager({ page, pageCount }: { readonly page: number; readonly pageCount: number }): JSX.Element {
  return (
    <nav aria-label="Pages of the list" class="row">
      {page > 1 && <a href={`/sites?page=${page - 1}`}>Earlier sites</a>}
      <span>
        Page {page} of {pageCount}
      </span>
      {page < pageCount && <a href={`/sites?page=${page + 1}`}>Later sites</a>}
    </nav>
  );
}
