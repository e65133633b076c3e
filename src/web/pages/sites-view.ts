import { perObject, remember } from '../../net/keyed.js';
import { failureOf, rankOf } from '../../scanner/report/failures.js';
import { unicodeOf } from '../html/page-header.js';
import { queryOf, type WebContext } from '../server/context.js';
import type { SiteOverview } from '../../app/runs/overview.js';
import type { CheckResult } from '../../app/runs/run-rows.js';
import { parseNumber } from '../server/requested-site.js';
import { foldTag } from '../../app/sites/tags.js';

/** The most urgent thing to say about a site, the most urgent first. */
const STATES = ['shut', 'worse', 'unscored', 'unproven', 'better', 'same', 'new', 'unverified'] as const;
type SiteState = (typeof STATES)[number];

export interface ListedSite extends SiteOverview {
  readonly state: SiteState;
  /** Number of scored failures; null if the latest run has no score or the site is not verified. */
  readonly toFix: number | null;
  /** The most severe scored failure. */
  readonly worstFailure: CheckResult | null;
}

/** Memoized by the array, which stays the same while nothing changes. */
export const listedSitesOf = perObject((overviews: readonly SiteOverview[]): readonly ListedSite[] =>
  overviews.map(listedSiteOf),
);

function listedSiteOf(overview: SiteOverview): ListedSite {
  const { count = null, worstFailure = null } = overview.judged ? failuresOf(overview.judged.findings) : {};
  const state = stateOf(overview, worstFailure);
  return { ...overview, state, toFix: state === 'unscored' || state === 'unverified' ? null : count, worstFailure };
}

/** Returns a run's failures, the number of scored ones, and the most severe of these. */
export const failuresOf = perObject((findings: readonly CheckResult[]) => {
  const all = findings.filter(({ result }) => result === 'FAIL');
  const counted = all.filter(({ scored }) => scored);
  const worstFailure = counted.reduce<CheckResult | null>(
    (worst, failure) => (worst === null || rankOf(failure) < rankOf(worst) ? failure : worst),
    null,
  );
  return { all, count: counted.length, worstFailure };
});

function stateOf(overview: SiteOverview, worstFailure: CheckResult | null): SiteState {
  const { site, latestNumber, unscoredRuns, judged } = overview;
  if (site.verifiedAt === null) return 'unverified';
  if (latestNumber === 0) return 'new';
  if (unscoredRuns > 0) return 'unscored';
  if (worstFailure && failureOf(worstFailure)?.severity === 'SHUT_OUT') return 'shut';
  const change = judged?.change;
  if (change && change.newFailures > 0) return 'worse';
  if (site.missingProof) return 'unproven';
  return change && (change.fixed > 0 || change.points > 0) ? 'better' : 'same';
}

type Filter = readonly [label: string, isShown: (site: ListedSite) => boolean];

/** The filters of the list, by their name in an address. */
export const FILTERS = {
  all: ['All', () => true],
  shut: ['Shut agents out', ({ state }) => state === 'shut'],
  worse: ['New failures', ({ state, judged }) => state !== 'unscored' && (judged?.change?.newFailures ?? 0) > 0],
  failing: ['With failures', ({ toFix }) => toFix !== null && toFix > 0],
  unscored: ['No score', ({ state }) => state === 'unscored'],
  new: ['No run yet', ({ state }) => state === 'new'],
  unverified: ['Not verified', ({ state }) => state === 'unverified'],
  clean: ['Nothing to fix', ({ toFix }) => toFix === 0],
} as const satisfies Readonly<Record<string, Filter>>;

const SORTS = ['site', 'score', 'change', 'fix', 'run'] as const;
export type SortKey = (typeof SORTS)[number];
type Order = 'asc' | 'desc';

/** The order in which the first click on a column sorts. */
const FIRST_ORDER: Readonly<Record<SortKey, Order>> = {
  ...{ site: 'asc', score: 'asc', change: 'asc', fix: 'desc', run: 'desc' },
};

/** Returns the order's name in an address: a descending one has a minus before its key. */
export function sortNameOf({ sort, order }: Pick<SitesView, 'sort' | 'order'>): string {
  return order === 'asc' ? sort : `-${sort}`;
}

/** What the list shows. All of it is in the address. */
export interface SitesView {
  /** A key of {@link FILTERS}, or the id of a failing check. */
  readonly show: string;
  /** Part of the host name. */
  readonly search: string;
  /** A tag as `foldTag` writes it; empty for any or none. */
  readonly tag: string;
  readonly sort: SortKey;
  readonly order: Order;
  /** Starts at 1. */
  readonly page: number;
  /** True if sites have checkboxes. */
  readonly isSelecting: boolean;
}

const NEWS_FIRST: SitesView = {
  show: 'all',
  search: '',
  tag: '',
  sort: 'change',
  order: 'asc',
  page: 1,
  isSelecting: false,
};

const SEARCH_CHARS_MAX = 300;

/** Parses the view in an address; invalid values are ignored. */
export function viewOf(ctx: WebContext): SitesView {
  const show = queryOf(ctx, 'show');
  const asked = queryOf(ctx, 'sort');
  const sort = SORTS.find((key) => asked === key || asked === `-${key}`);
  return {
    show: Object.hasOwn(FILTERS, show) || /^C-[A-Z0-9]+-\d\d$/.test(show) ? show : NEWS_FIRST.show,
    search: queryOf(ctx, 'q').trim().slice(0, SEARCH_CHARS_MAX),
    tag: foldTag(queryOf(ctx, 'tag').slice(0, SEARCH_CHARS_MAX)),
    sort: sort ?? NEWS_FIRST.sort,
    order: sort !== undefined && sort !== asked ? 'desc' : 'asc',
    page: parseNumber(queryOf(ctx, 'page')) ?? 1,
    isSelecting: queryOf(ctx, 'select') !== '',
  };
}

/** Returns the address of a view with changes, on its first page. */
export function hrefOf(view: SitesView, changed: Partial<SitesView>, path = '/sites'): string {
  const { show, search, tag, sort, order, page, isSelecting } = { ...view, page: 1, ...changed };
  const query = new URLSearchParams();
  if (show !== NEWS_FIRST.show) query.set('show', show);
  if (search !== '') query.set('q', search);
  if (tag !== '') query.set('tag', tag);
  if (!isNewsFirst({ sort, order })) query.set('sort', sortNameOf({ sort, order }));
  if (page > 1) query.set('page', String(page));
  if (isSelecting) query.set('select', 'on');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Returns the address that sorts by a column, or reverses its order. */
export function sortHref(view: SitesView, sort: SortKey): string {
  const isSorted = view.sort === sort;
  return hrefOf(view, { sort, order: isSorted ? (view.order === 'asc' ? 'desc' : 'asc') : FIRST_ORDER[sort] });
}

/** True if the list has its default order: in groups, news first. */
export function isNewsFirst({ sort, order }: Pick<SitesView, 'sort' | 'order'>): boolean {
  return sort === NEWS_FIRST.sort && order === NEWS_FIRST.order;
}

/** True if a filter, search or tag is set. */
export function isNarrowed({ show, search, tag }: SitesView): boolean {
  return show !== NEWS_FIRST.show || search !== NEWS_FIRST.search || tag !== NEWS_FIRST.tag;
}

/** Returns the sites of a view in its order, on all pages. */
export function sitesOf(view: SitesView, sites: readonly ListedSite[]): readonly ListedSite[] {
  const { sort, order } = view;
  return filteredSites(
    view,
    remember(sortedSites(sites), `${sort} ${order}`, () => sites.toSorted(orderOf(view))),
  );
}

/** Returns the sites of a view in the order given. */
export function filteredSites(view: SitesView, sites: readonly ListedSite[]): readonly ListedSite[] {
  return namedSites(view, sites).filter(filterOf(view.show));
}

/** Sorted sites by order, of which there are ten. */
const sortedSites = perObject((): Map<string, readonly ListedSite[]> => new Map());

/** Returns the sites that match search and tag, whatever the filter. */
export function namedSites(
  { search, tag }: Pick<SitesView, 'search' | 'tag'>,
  sites: readonly ListedSite[],
): readonly ListedSite[] {
  const named = search === '' ? sites : sites.filter(searchFor(search));
  return tag === '' ? named : named.filter(({ site }) => site.tags.some((one) => foldTag(one) === tag));
}

/** A tag as the first site writes it. */
export interface CountedTag {
  /** Its form in an address. */
  readonly key: string;
  readonly name: string;
  /** Number of sites that it would show. */
  readonly count: number;
}

/** Tags offered, and bytes of their names and addresses: a page may weigh 60 kB. */
const TAGS_OFFERED_MAX = 30;
const TAG_BYTES_OFFERED_MAX = 2400;

/** Returns the most common tags of the sites in a view, whatever its own tag, which is always among them. */
export function tagsAmong(view: SitesView, sites: readonly ListedSite[]): readonly CountedTag[] {
  const tags = new Map<string, { readonly key: string; readonly name: string; count: number }>();
  for (const { site } of filteredSites({ ...view, tag: '' }, sites)) {
    for (const name of site.tags) {
      const key = foldTag(name);
      remember(tags, key, () => ({ key, name, count: 0 })).count += 1;
    }
  }
  const { tag: key } = view;
  if (key !== '') remember(tags, key, () => ({ key, name: key, count: 0 }));
  const ordered = [...tags.values()].sort((a, b) => b.count - a.count || compare(a.key, b.key));
  let bytes = 0;
  return ordered.filter((tag, index) => {
    bytes += encodeURIComponent(tag.key).length + Buffer.byteLength(tag.name);
    return (index < TAGS_OFFERED_MAX && bytes <= TAG_BYTES_OFFERED_MAX) || tag.key === key;
  });
}

function filterOf(show: string): Filter[1] {
  if (Object.hasOwn(FILTERS, show)) return FILTERS[show as keyof typeof FILTERS][1];
  return ({ judged }) => judged?.findings.some(({ checkId, result }) => checkId === show && result === 'FAIL') ?? false;
}

/** Matches part of the name in ASCII or Unicode; a pasted address counts as its host. */
function searchFor(search: string): Filter[1] {
  const part = search
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '');
  if (part === '') return () => true;
  return ({ site: { hostname } }) => hostname.includes(part) || unicodeOf(hostname).includes(part);
}

function orderOf(view: SitesView): (a: ListedSite, b: ListedSite) => number {
  const { sort, order } = view;
  if (isNewsFirst(view)) return byNews;
  const sign = order === 'asc' ? 1 : -1;
  if (sort === 'site') return (a, b) => sign * compare(a.site.hostname, b.site.hostname);
  const valueOf = VALUES[sort];
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    // Sites without a value come last in either order.
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byName(a, b);
    return sign * compare(left, right) || byName(a, b);
  };
}

const VALUES: Readonly<Record<Exclude<SortKey, 'site'>, (site: ListedSite) => number | string | null>> = {
  score: ({ judged }) => judged?.score ?? null,
  change: ({ judged }) => judged?.change?.points ?? null,
  fix: ({ toFix }) => toFix,
  run: ({ latestAt }) => latestAt,
};

function byNews(a: ListedSite, b: ListedSite): number {
  return (
    STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
    severityRankOf(a) - severityRankOf(b) ||
    (a.judged?.score ?? 0) - (b.judged?.score ?? 0) ||
    byName(a, b)
  );
}

/** Sites without a failure come last. */
function severityRankOf({ worstFailure }: ListedSite): number {
  return worstFailure === null ? Number.MAX_SAFE_INTEGER : rankOf(worstFailure);
}

function byName(a: ListedSite, b: ListedSite): number {
  return compare(a.site.hostname, b.site.hostname);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

/** The groups of the default order. */
export const GROUPS: readonly (readonly [title: string, states: readonly SiteState[]])[] = [
  ['Shut agents out', ['shut']],
  ['Need attention', ['worse', 'unscored', 'unproven']],
  ['Better', ['better']],
  ['As before', ['same']],
  ['Not started', ['new', 'unverified']],
];
