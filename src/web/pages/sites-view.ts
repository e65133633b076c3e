import type { SiteOverview } from '../../app/runs/overview.js';
import type { CheckResult } from '../../app/runs/run-rows.js';
import { foldTag } from '../../app/sites/site-settings.js';
import { failureOf, headlineOf, rankOf } from '../../scanner/report/failures.js';
import { unicodeOf } from '../html/page-header.js';
import { parseNumber, queryOf } from '../server/routes.js';
import type { WebContext } from '../server/page.js';

/** Groups of the default order with their states, the most urgent first. A site has the most urgent state that applies. */
export const GROUPS = {
  Blocked: ['blocked'],
  'Need attention': ['new failures', 'no score', 'proof missing'],
  Better: ['better'],
  'First score': ['first score'],
  Unchanged: ['unchanged'],
  'No runs yet': ['no run'],
  'Not verified': ['unverified'],
} as const;
type SiteState = (typeof GROUPS)[keyof typeof GROUPS][number];
const STATES: readonly SiteState[] = Object.values(GROUPS).flat();

export interface ListedSite extends SiteOverview {
  readonly state: SiteState;
  /** Number of scored failures; null if the latest run has no score or the site is not verified. */
  readonly toFix: number | null;
  /** The most severe scored failure. */
  readonly worstFailure: CheckResult | null;
  /** Position in the default order: by state, with newly blocked sites first, then by severity. */
  readonly urgencyOrder: number;
}

export function toListedSites(overviews: readonly SiteOverview[]): readonly ListedSite[] {
  return overviews.map((overview) => {
    const failures = overview.lastScored?.toFix ?? [];
    const [worstFailure = null] = failures;
    const state = stateOf(overview, worstFailure);
    const isJudged = overview.lastScored !== null && state !== 'no score' && state !== 'unverified';
    const isOldBlock = state === 'blocked' && overview.lastScored?.change?.newFailures.length === 0;
    // Sites without a failure come last; sites that were blocked before come after newly blocked ones.
    const urgencyOrder =
      STATES.indexOf(state) * 100 + (worstFailure ? rankOf(worstFailure) : 99) + (isOldBlock ? 50 : 0);
    return { ...overview, state, toFix: isJudged ? failures.length : null, worstFailure, urgencyOrder };
  });
}

function stateOf(overview: SiteOverview, worstFailure: CheckResult | null): SiteState {
  const { site, unscoredRuns, lastScored } = overview;
  if (site.verifiedAt === null) return 'unverified';
  if (site.latestNumber === 0) return 'no run';
  if (unscoredRuns > 0) return 'no score';
  if (worstFailure && failureOf(worstFailure)?.severity === 'SHUT_OUT') return 'blocked';
  const change = lastScored?.change;
  if (change && change.newFailures.length > 0) return 'new failures';
  if (site.missingProof) return 'proof missing';
  if (!change) return 'first score';
  return change.fixed > 0 || change.points > 0 ? 'better' : 'unchanged';
}

type Filter = readonly [label: string, isShown: (site: ListedSite) => boolean];

/** Filters of the list by their name in the URL. */
export const FILTERS = {
  all: ['All', () => true],
  shut: ['Blocked', ({ state }) => state === 'blocked'],
  worse: [
    'New failures',
    ({ state, lastScored }) => state !== 'no score' && (lastScored?.change?.newFailures.length ?? 0) > 0,
  ],
  failing: ['With failures', ({ toFix }) => toFix !== null && toFix > 0],
  unscored: ['No score', ({ state }) => state === 'no score'],
  new: ['No runs yet', ({ state }) => state === 'no run'],
  unverified: ['Not verified', ({ state }) => state === 'unverified'],
  clean: ['Nothing to fix', ({ toFix }) => toFix === 0],
} as const satisfies Readonly<Record<string, Filter>>;

/** What each column sorts by; null comes last. */
const SORT_VALUES = {
  site: ({ site }) => site.hostname,
  score: ({ lastScored }) => lastScored?.score ?? null,
  change: ({ lastScored }) => lastScored?.change?.points ?? null,
  fix: ({ toFix }) => toFix,
  run: ({ latestAt }) => latestAt,
} as const satisfies Readonly<Record<string, (site: ListedSite) => number | string | null>>;
export type SortKey = keyof typeof SORT_VALUES;

/** Filters, order and page of the list, which its URL contains. */
export interface SitesView {
  /** A key of {@link FILTERS}, or the id of a failing check. */
  readonly show: string;
  /** Part of the host name or of a tag. */
  readonly search: string;
  /** A tag, folded by `foldTag`; empty for no filter. */
  readonly tag: string;
  /** A {@link SortKey}, after a minus if descending; empty for the default order. */
  readonly sort: string;
  /** Starts at 1. */
  readonly page: number;
  /** True if sites have checkboxes. */
  readonly isSelecting: boolean;
}

const SEARCH_CHARS_MAX = 300;

/** Parses the view in the URL, ignoring invalid values. */
export function parseView(ctx: WebContext): SitesView {
  const [show, sort] = [queryOf(ctx, 'show'), queryOf(ctx, 'sort')];
  return {
    show: Object.hasOwn(FILTERS, show) || /^C-[A-Z0-9]+-\d\d$/.test(show) ? show : 'all',
    search: queryOf(ctx, 'q').trim().slice(0, SEARCH_CHARS_MAX),
    tag: foldTag(queryOf(ctx, 'tag').slice(0, SEARCH_CHARS_MAX)),
    sort: Object.hasOwn(SORT_VALUES, sort.replace('-', '')) ? sort : '',
    page: parseNumber(queryOf(ctx, 'page')) ?? 1,
    isSelecting: queryOf(ctx, 'select') !== '',
  };
}

/** Returns the URL of a changed view, at its first page. */
export function hrefOf(view: SitesView, changed: Partial<SitesView>, path = '/sites'): string {
  const { page, ...others } = { ...view, page: 1, ...changed };
  const query = new URLSearchParams(queryFieldsOf(others));
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** Returns the parameters of a view that differ from the default. */
export function queryFieldsOf({ show, search, tag, sort, isSelecting }: Omit<SitesView, 'page'>): [string, string][] {
  const fields: [string, string][] = [
    ['show', show === 'all' ? '' : show],
    ['q', search],
    ['tag', tag],
    ['sort', sort],
    ['select', isSelecting ? 'on' : ''],
  ];
  return fields.filter(([, value]) => value !== '');
}

/** Returns the URL that sorts by a column, or reverses its order. */
export function sortHref(view: SitesView, key: SortKey): string {
  const first = key === 'fix' || key === 'run' ? `-${key}` : key;
  const reversed = view.sort === key ? `-${key}` : key;
  return hrefOf(view, { sort: view.sort.replace('-', '') === key ? reversed : first });
}

/** True if a filter, search or tag is set. */
export function isFiltered({ show, search, tag }: SitesView): boolean {
  return show !== 'all' || search !== '' || tag !== '';
}

/** Returns the sites that a view finds, on all its pages, in its order. */
export function findSites(view: SitesView, sites: readonly ListedSite[]): readonly ListedSite[] {
  return searchSites(view, sites).filter(filterOf(view.show)).toSorted(orderOf(view.sort));
}

/** Returns the sites that match search and tag, whatever the filter. */
export function searchSites({ search, tag }: SitesView, sites: readonly ListedSite[]): readonly ListedSite[] {
  // Only the host of a pasted URL counts.
  const part = search
    .toLowerCase()
    .replace(/^https?:\/\/|^#/, '')
    .replace(/[/?#].*/s, '');
  const hasTag = (tags: readonly string[]): boolean => tags.some((one) => foldTag(one).includes(foldTag(part)));
  return sites.filter(
    ({ site: { hostname, tags } }) =>
      (hostname.includes(part) || unicodeOf(hostname).includes(part) || hasTag(tags)) &&
      (tag === '' || tags.some((one) => foldTag(one) === tag)),
  );
}

/** Most characters in the offered tags, which limits the page's size: 8 of the longest tags, or 20 of usual length. */
const TAGS_CHARS_MAX = 416;
/** Characters around a tag's name in its link. */
const TAG_LINK_CHARS = 12;

/** Returns the most common tags of the sites that match search and filter, and counts the rest. Always includes the view's tag. */
export function commonTags(view: SitesView, sites: readonly ListedSite[]) {
  const found = searchSites({ ...view, tag: '' }, sites).filter(filterOf(view.show));
  const byKey = Map.groupBy(
    found.flatMap(({ site }) => site.tags),
    foldTag,
  );
  const tags = [...byKey].map(([key, same]) => ({ key, name: same[0] ?? key, count: same.length }));
  if (view.tag !== '' && !tags.some(({ key }) => key === view.tag)) {
    tags.push({ key: view.tag, name: view.tag, count: 0 });
  }
  tags.sort((a, b) => b.count - a.count || compare(a.key, b.key));
  let chars = 0;
  const offered = tags.filter(
    ({ key, name }) => (chars += name.length + TAG_LINK_CHARS) <= TAGS_CHARS_MAX || key === view.tag,
  );
  return { tags: offered, moreTags: tags.length - offered.length };
}

export function filterOf(show: string): Filter[1] {
  if (Object.hasOwn(FILTERS, show)) return FILTERS[show as keyof typeof FILTERS][1];
  return ({ lastScored }) => lastScored?.failures.some(({ checkId }) => checkId === show) ?? false;
}

function orderOf(sort: string): (a: ListedSite, b: ListedSite) => number {
  if (sort === '') return byUrgency;
  const valueOf = SORT_VALUES[sort.replace('-', '') as SortKey];
  const sign = sort.startsWith('-') ? -1 : 1;
  return (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    // Null comes last in either order.
    if (left === null || right === null) return Number(left === null) - Number(right === null) || byName(a, b);
    return sign * (sort.endsWith('site') ? byName(a, b) : compare(left, right)) || byName(a, b);
  };
}

function byUrgency(a: ListedSite, b: ListedSite): number {
  return a.urgencyOrder - b.urgencyOrder || (a.lastScored?.score ?? 0) - (b.lastScored?.score ?? 0) || byName(a, b);
}

function byName(a: ListedSite, b: ListedSite): number {
  const [left, right] = [a.site.hostname, b.site.hostname];
  return BY_NAME.compare(left, right) || compare(left, right);
}

/** `shop2` before `shop10`. */
export const BY_NAME = new Intl.Collator('en', { numeric: true });

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Marks UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Formats the sites as CSV, one per line. */
export function formatSitesAsCsv(sites: readonly ListedSite[]): string {
  const rows = sites.map(({ site, state, lastScored, toFix, worstFailure, latestAt }) => {
    const worst = worstFailure && headlineOf({ ...worstFailure, title: null });
    return [site.hostname, state, lastScored?.score, toFix, worst, latestAt, site.tags.join(', ')];
  });
  const head = ['host', 'state', 'score', 'toFix', 'worstFailure', 'lastRun', 'tags'];
  return BYTE_ORDER_MARK + [head, ...rows].map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** Matches what a spreadsheet would run as a formula (OWASP, "CSV Injection"), full-width characters included. */
const FORMULA = /^(?:[\s\0]*[=+\-@|%＝＋－＠]|[\t\r\n])/;

/** Formats a cell (RFC 4180). */
function formatCell(cell: string | number | null | undefined): string {
  const text = String(cell ?? '');
  return `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
}
