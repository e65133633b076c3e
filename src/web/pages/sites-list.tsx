import type { SiteTrend } from '../../app/runs/overview.js';
import type { JSX } from 'preact';
import { FindField, PickItem } from '../html/pick.js';
import { NumberedPager } from '../html/pager.js';
import { Empty, Legend } from '../html/pins.js';
import { type Heading as Column, TableHead } from '../html/table.js';
import { formatRelative } from '../html/format.js';
import type { PartDeps } from '../server/page-part.js';
import { BulkForm, type BulkFormProps } from './sites-bulk.js';
import {
  FILTERS,
  GROUPS,
  hrefOf,
  isNarrowed,
  isNewsFirst,
  type ListedSite,
  namedSites,
  type SitesView,
  sortHref,
  type SortKey,
  sortNameOf,
  tagsAmong,
} from './sites-view.js';
import { SiteRow } from './sites-row.js';

/** Returns the number of sites on a page. With tags fewer fit, since a page may weigh 60 kB. */
export function sitesAPage(found: readonly ListedSite[]): number {
  return found.some(({ site }) => site.tags.length > 0) ? 40 : 50;
}

interface SiteListProps {
  readonly view: SitesView;
  /** All sites of the account. */
  readonly all: readonly ListedSite[];
  /** The sites found, on all pages. */
  readonly found: readonly ListedSite[];
  /** The sites on this page. */
  readonly shown: readonly ListedSite[];
  /** By site id. */
  readonly trends: ReadonlyMap<string, SiteTrend>;
  readonly nextRuns: ReadonlyMap<string, string>;
  /** The bulk actions that are offered. */
  readonly choices: BulkFormProps['choices'];
  /** By site id. */
  readonly notes?: PartDeps['siteNotes'];
  readonly now: Date;
}

/** Shorter lists have no filters, or no search. */
const FILTERED_MIN = 4;
const SEARCHED_MIN = 10;

/** The list of sites with its filters, search and order, which work without script. */
export function SiteList(props: SiteListProps): JSX.Element {
  const { view, all, found } = props;
  return (
    <>
      {(all.length >= FILTERED_MIN || isNarrowed(view)) && <Filters view={view} all={all} />}
      {all.length >= FILTERED_MIN && <Tools view={view} all={all} hasAny={found.length > 0} />}
      {found.length === 0 ? <NothingFound view={view} /> : <Selectable {...props} />}
    </>
  );
}

function Filters({ view, all }: Pick<SiteListProps, 'view' | 'all'>): JSX.Element {
  const { show, search } = view;
  const named = namedSites(view, all);
  return (
    <form class="row apart bar" role="search" action="/sites">
      <ul class="pick" aria-label="Filter">
        {Object.entries(FILTERS)
          .filter(([key, [, isShown]]) => key === 'all' || key === show || all.some(isShown))
          .map(([key, [label, isShown]]) => (
            <PickItem
              key={key}
              href={hrefOf(view, { show: key })}
              isChosen={key === show}
              {...(named.length > 0 && { count: named.filter(isShown).length })}
            >
              {label}
            </PickItem>
          ))}
        {!Object.hasOwn(FILTERS, show) && (
          <PickItem href={hrefOf(view, {})} isChosen>
            Fail {show}
          </PickItem>
        )}
      </ul>
      {(all.length >= SEARCHED_MIN || search !== '') && (
        <FindField name="q" label="Find a site" value={search} clearHref={hrefOf(view, { search: '' })} />
      )}
      {show !== 'all' && <input type="hidden" name="show" value={show} />}
      {view.tag !== '' && <input type="hidden" name="tag" value={view.tag} />}
      {view.isSelecting && <input type="hidden" name="select" value="on" />}
      {!isNewsFirst(view) && <input type="hidden" name="sort" value={sortNameOf(view)} />}
    </form>
  );
}

/** The tags to filter by, and the link to select many sites. */
function Tools({ view, all, hasAny }: Pick<SiteListProps, 'view' | 'all'> & { readonly hasAny: boolean }): JSX.Element {
  return (
    <div class="row apart tools">
      <TagFilter view={view} all={all} />
      {hasAny && (
        <a class="small" href={hrefOf(view, { page: view.page, isSelecting: !view.isSelecting })}>
          {view.isSelecting ? 'Stop selecting' : 'Select many'}
        </a>
      )}
    </div>
  );
}

/** The tags of the sites, with their counts. */
function TagFilter({ view, all }: Pick<SiteListProps, 'view' | 'all'>): JSX.Element | null {
  const tags = tagsAmong(view, all);
  if (tags.length === 0) return null;
  return (
    <ul class="pick" aria-label="Tags">
      {tags.map(({ key, name, count }) => (
        <PickItem
          key={key}
          href={hrefOf(view, { tag: key === view.tag ? '' : key })}
          isChosen={key === view.tag}
          count={count}
        >
          <bdi>{name}</bdi>
        </PickItem>
      ))}
    </ul>
  );
}

function NothingFound({ view: { show, search, tag } }: Pick<SiteListProps, 'view'>): JSX.Element {
  const isFiltered = show !== 'all' || tag !== '';
  return (
    <Empty>
      <h2>{search === '' ? 'No site is in this group' : `No site has “${search}” in its name`}</h2>
      {search !== '' && (
        <p>{isFiltered ? 'Among those that the filter shows.' : 'Check the spelling. Part of the name is enough.'}</p>
      )}
      <p class="row">
        <a class="btn quiet" href="/sites">
          Show all sites
        </a>
      </p>
    </Empty>
  );
}

/** The table; with checkboxes and bulk actions if the reader selects sites. */
function Selectable(props: SiteListProps): JSX.Element {
  const { view, found, shown, choices } = props;
  if (!view.isSelecting) return <SiteTable {...props} canSelect={false} />;
  return (
    <BulkForm view={view} count={found.length} isPaged={found.length > shown.length} choices={choices}>
      <SiteTable {...props} canSelect />
    </BulkForm>
  );
}

interface SiteTableProps extends SiteListProps {
  readonly canSelect: boolean;
}

function SiteTable({ view, all, found, shown, trends, nextRuns, notes, canSelect, now }: SiteTableProps): JSX.Element {
  const row = (listed: ListedSite): JSX.Element => {
    const { id } = listed.site;
    const [lastAt, nextAt] = [listed.latestAt, nextRuns.get(id)];
    const last = lastAt === null ? undefined : formatRelative(new Date(lastAt), now);
    const next = nextAt === undefined ? undefined : describeNext(new Date(nextAt), now);
    return (
      <SiteRow key={id} {...{ listed, last, next, canSelect }} note={notes?.get(id)} trend={trends.get(id) ?? null} />
    );
  };
  const isGrouped = isNewsFirst(view) && all.length > 1;
  return (
    <>
      <table class="cards list">
        <caption class="hide">{view.page > 1 ? `Sites, page ${view.page}` : 'Sites'}</caption>
        <TableHead columns={columnsOf(view, all.length > 1)} />
        {isGrouped ? (
          GROUPS.map(([title, states]) => (
            <GroupRows
              key={title}
              title={title}
              count={found.filter(({ state }) => states.includes(state)).length}
              rows={shown.filter(({ state }) => states.includes(state)).map(row)}
            />
          ))
        ) : (
          <tbody>{shown.map(row)}</tbody>
        )}
      </table>
      <div class="row apart sec">
        <Legend />
        {all.length >= SEARCHED_MIN && (
          <NumberedPager
            label="Pages of the list"
            page={view.page}
            pageSize={sitesAPage(found)}
            count={found.length}
            what="sites"
            hrefOf={(page) => hrefOf(view, { page })}
          />
        )}
      </div>
    </>
  );
}

/** Says when the next run starts. A time in the past is a run that is queued. */
function describeNext(at: Date, now: Date): string {
  return at <= now ? 'due now' : formatRelative(at, now);
}

interface GroupRowsProps {
  readonly title: string;
  /** Number of sites on all pages. */
  readonly count: number;
  readonly rows: readonly JSX.Element[];
}

function GroupRows({ title, count, rows }: GroupRowsProps): JSX.Element | null {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr class="part">
        <th scope="rowgroup" colSpan={8}>
          {title} <span class="soft num">{count}</span>
        </th>
      </tr>
      {rows}
    </tbody>
  );
}

function columnsOf(view: SitesView, isSortable: boolean): readonly Column[] {
  const sorted = (title: string, key: SortKey, kind?: 'r'): Column => {
    if (!isSortable) return [title, kind];
    // News first is an order by groups, not by one column.
    const isBy = view.sort === key && !isNewsFirst(view);
    const order = !isBy ? null : view.order === 'asc' ? 'ascending' : 'descending';
    return [title, kind, { href: sortHref(view, key), order }];
  };
  return [
    sorted('Site', 'site'),
    ['Checks'],
    sorted('Score', 'score', 'r'),
    sorted('Change', 'change'),
    sorted('To fix', 'fix', 'r'),
    [view.isSelecting ? <span class="hide">Last ten runs</span> : 'Last ten runs'],
    sorted('Last run', 'run'),
    ['Next run'],
  ];
}
