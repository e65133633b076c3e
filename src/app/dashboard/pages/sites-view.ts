import { perObject, remember } from '../../../net/keyed.js';
import { failureOf } from '../../../scanner/report/failures.js';
import { rankOf } from '../../../scanner/report/order.js';
import { unicodeOf } from '../../../web/kit/components/mast.js';
import { queryOf, type WebContext } from '../../../web/kit/context.js';
import type { SiteOverview } from '../../runs/overview.js';
import type { CheckResult } from '../../runs/run-results.js';
import { parseNumber } from '../../sites/pages/asked-site.js';
import { foldTag } from '../../sites/tags.js';

/** What proves each site of the list, as a table. */
export const PROOFS_ADDRESS = '/sites/proofs.csv';

/** What is to be said of a site first; in the order of urgency. */
const STATES = ['worse', 'unscored', 'unproven', 'shut', 'better', 'same', 'new', 'unverified'] as const;
type SiteState = (typeof STATES)[number];

export interface ListedSite extends SiteOverview {
  readonly state: SiteState;
  /** Failures that count; null where none are shown: the latest run has no score, or the domain is not verified. */
  readonly toFix: number | null;
  /** The gravest failure that counts. */
  readonly gravest: CheckResult | null;
}

/** Of an array that is the same for as long as nothing has changed. */
export const listedSitesOf = perObject((overviews: readonly SiteOverview[]): readonly ListedSite[] =>
  overviews.map(listedSiteOf),
);

function listedSiteOf(overview: SiteOverview): ListedSite {
  const { count = null, gravest = null } = overview.judged ? failuresOf(overview.judged.findings) : {};
  const state = stateOf(overview, gravest);
  return { ...overview, state, toFix: state === 'unscored' || state === 'unverified' ? null : count, gravest };
}

/** Of one run: all failures, how many of them count, and the gravest of these. */
export const failuresOf = perObject((findings: readonly CheckResult[]) => {
  const all = findings.filter(({ result }) => result === 'FAIL');
  const counted = all.filter(({ scored }) => scored);
  const gravest = counted.reduce<CheckResult | null>(
    (gravest, failure) => (gravest === null || rankOf(failure) < rankOf(gravest) ? failure : gravest),
    null,
  );
  return { all, count: counted.length, gravest };
});

function stateOf(overview: SiteOverview, gravest: CheckResult | null): SiteState {
  const { site, latestNumber, unscoredRuns, judged } = overview;
  if (site.verifiedAt === null) return 'unverified';
  if (latestNumber === 0) return 'new';
  if (unscoredRuns > 0) return 'unscored';
  const change = judged?.change;
  if (change && change.newFailures > 0) return 'worse';
  if (site.unreadProof) return 'unproven';
  if (gravest && failureOf(gravest)?.severity === 'SHUT_OUT') return 'shut';
  return change && (change.fixed > 0 || change.points > 0) ? 'better' : 'same';
}

type Filter = readonly [label: string, isShown: (site: ListedSite) => boolean];

/** What can be shown of the list. */
export const FILTERS = {
  all: ['All', () => true],
  worse: ['New failures', ({ state }) => state === 'worse'],
  shut: ['Shut agents out', ({ gravest }) => gravest !== null && failureOf(gravest)?.severity === 'SHUT_OUT'],
  failing: ['With failures', ({ toFix }) => toFix !== null && toFix > 0],
  unscored: ['No score', ({ state }) => state === 'unscored'],
  new: ['No run yet', ({ state }) => state === 'new'],
  unverified: ['Not verified', ({ state }) => state === 'unverified'],
  clean: ['Nothing to fix', ({ toFix }) => toFix === 0],
} as const satisfies Readonly<Record<string, Filter>>;

const SORTS = ['site', 'score', 'change', 'fix', 'run'] as const;
export type SortKey = (typeof SORTS)[number];
type Order = 'asc' | 'desc';

/** In which order a list is sorted at first by each. */
const FIRST_ORDER: Readonly<Record<SortKey, Order>> = {
  ...{ site: 'asc', score: 'asc', change: 'asc', fix: 'desc', run: 'desc' },
};

/** All orders by their name in an address: what falls has a minus before its key. */
export const SORT_WORDS: Readonly<Record<string, string>> = {
  ...{ change: 'News first', '-change': 'Most improved', score: 'Lowest score', '-score': 'Highest score' },
  ...{ '-fix': 'Most to fix', fix: 'Fewest to fix', '-run': 'Latest run', run: 'Oldest run' },
  ...{ site: 'Name, A to Z', '-site': 'Name, Z to A' },
};

export function sortNameOf({ sort, order }: Pick<SitesView, 'sort' | 'order'>): string {
  return order === 'asc' ? sort : `-${sort}`;
}

/** What is asked of the list: all of it is in the address. */
export interface SitesView {
  /** A key of {@link FILTERS}, or the id of a check that fails. */
  readonly show: string;
  /** A part of the host name. */
  readonly search: string;
  /** One that the sites have, as `foldTag` writes it; empty: any or none. */
  readonly tag: string;
  readonly sort: SortKey;
  readonly order: Order;
  /** From 1 on. */
  readonly page: number;
  /** Whether sites can be ticked. */
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

/** What cannot be read is left out. */
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

/** The address of the list as it is, but for what is changed. */
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

/** The address where the list is sorted by this, or the other way round where it is already. */
export function sortHref(view: SitesView, sort: SortKey): string {
  const isSorted = view.sort === sort;
  return hrefOf(view, { sort, order: isSorted ? (view.order === 'asc' ? 'desc' : 'asc') : FIRST_ORDER[sort] });
}

/** Whether the list is as it is at first: grouped, the news before everything else. */
export function isNewsFirst({ sort, order }: Pick<SitesView, 'sort' | 'order'>): boolean {
  return sort === NEWS_FIRST.sort && order === NEWS_FIRST.order;
}

/** Whether only some of the sites are asked for. */
export function isNarrowed({ show, search, tag }: SitesView): boolean {
  return show !== NEWS_FIRST.show || search !== NEWS_FIRST.search || tag !== NEWS_FIRST.tag;
}

/** The sites that are asked for, in order, on all pages. */
export function sitesOf(view: SitesView, sites: readonly ListedSite[]): readonly ListedSite[] {
  const { sort, order } = view;
  const sorted = remember(sortedSites(sites), `${sort} ${order}`, () => sites.toSorted(orderOf(view)));
  return namedSites(view, sorted).filter(filterOf(view.show));
}

/** By the order in which they were asked for: there are ten. */
const sortedSites = perObject((): Map<string, readonly ListedSite[]> => new Map());

/** Those that are looked for by name and tag, whatever is shown of them. */
export function namedSites(
  { search, tag }: Pick<SitesView, 'search' | 'tag'>,
  sites: readonly ListedSite[],
): readonly ListedSite[] {
  const named = search === '' ? sites : sites.filter(searchFor(search));
  return tag === '' ? named : named.filter(({ site }) => site.tags.some((one) => foldTag(one) === tag));
}

/** A tag that sites have, as the first of them writes it. */
export interface CountedTag {
  /** By which it is asked for. */
  readonly key: string;
  readonly name: string;
  /** How many would be shown. */
  readonly count: number;
}

/** More of them are not offered: those that most sites have are. Nor are more than so many bytes of names and addresses. */
const TAGS_OFFERED_MAX = 30;
const TAG_BYTES_OFFERED_MAX = 2400;

/** The tags of the sites that are asked for but for their tag, those of most sites first; the one that is asked for is always there. */
export function tagsAmong(view: SitesView, sites: readonly ListedSite[]): readonly CountedTag[] {
  const tags = new Map<string, { readonly key: string; readonly name: string; count: number }>();
  for (const { site } of namedSites({ ...view, tag: '' }, sites).filter(filterOf(view.show))) {
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

/** By a part of the name in either form; a pasted address counts as its host. */
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
    // What has no value comes last, whichever way the list is sorted.
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
    (a.state === 'worse' ? pointsOf(a) - pointsOf(b) : 0) ||
    (a.judged?.score ?? 0) - (b.judged?.score ?? 0) ||
    byName(a, b)
  );
}

function pointsOf({ judged }: ListedSite): number {
  return judged?.change?.points ?? 0;
}

function byName(a: ListedSite, b: ListedSite): number {
  return compare(a.site.hostname, b.site.hostname);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

/** The groups of the list where news come first. */
export const GROUPS: readonly (readonly [title: string, states: readonly SiteState[]])[] = [
  ['Need attention', ['worse', 'unscored', 'unproven']],
  ['Still shut agents out', ['shut']],
  ['Better', ['better']],
  ['As before', ['same']],
  ['Not started', ['new', 'unverified']],
];
