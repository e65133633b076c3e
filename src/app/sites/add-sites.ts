import { timeAfter } from '../../platform/clock.js';
import { inParallel } from '../../platform/concurrency.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/errors.js';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { type Account, findAccount, lockAccount } from '../accounts/accounts.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { removeDefaultPort } from '../limits/limits.js';
import { EXCLUDED, findExcluded } from './excluded-hosts.js';
import { domainOfSite, newOwnershipToken } from './proof.js';
import { describeRefusal, parseSiteInput } from './site-input.js';
import { siteTable } from './site.js';
import { parseTags, serializeTags } from './site-settings.js';

export type SitesContext = Pick<Context, 'db' | 'clock' | 'vetSite'> & Partial<Pick<Context, 'sitesMaxOverride'>>;

export function sitesMaxOf({ sitesMaxOverride }: Pick<SitesContext, 'sitesMaxOverride'>, plan: Plan): number {
  return sitesMaxOverride ?? PLANS[plan].sitesMax;
}

export const LIST_LINES_MAX = 500;

/**
 * Result of a line. `unchecked`: DNS did not answer in time. `existing`: the account already has the site. `duplicate`: an earlier line has
 * the same site. `refused`: the site is invalid or not allowed. `over-limit`: the plan's limit is reached.
 */
export type LineState = 'added' | 'unchecked' | 'existing' | 'duplicate' | 'refused' | 'over-limit';

/** A line of a list with its result, which is `unchecked` at first. */
export interface ListLine {
  /** Line number, from 1. */
  readonly line: number;
  /** The address as typed, shortened and without secrets. */
  readonly shownAddress: string;
  /** Null if the line has no valid address. */
  readonly hostname: string | null;
  readonly origin: string | null;
  readonly tags: readonly string[];
  state: LineState;
  /** Explains the state; null if it needs no explanation. */
  why: string | null;
  /** Id of the added site. */
  siteId: string | null;
}

/** A line that no check has rejected yet. */
type PendingLine = ListLine & { readonly hostname: string; readonly origin: string };

function pendingLines(lines: readonly ListLine[]): readonly PendingLine[] {
  return lines.filter((line): line is PendingLine => line.state === 'unchecked');
}

const GIVEN_CHARS_MAX = 200;
const TAGS_NOT_ADDED = 'Their tags were not added. To tag them, select them in the list of sites.';
const ONE_PER_LINE = 'Enter one address per line, with # before each tag, such as example.com #shops.';
const NOT_LOOKED_UP = 'We could not check the name in time. Add it again.';

/** Number of concurrent DNS lookups, and the time limit for all lookups. */
const VETTING_CONCURRENCY = 64;
const VETTING_MS_MAX = 20_000;

/** @param sites JSON: `[{id, origin, hostname, tags}, …]` */
const insertSites = defineQuery<never, { account_id: string; created_at: string; sites: string }>(
  (sql, { account_id, created_at, sites }) =>
    sql.raw(
      `INSERT INTO sites (id, account_id, origin, hostname, tags, created_at)
        SELECT input.id, CAST(? AS text), input.origin, input.hostname, input.tags, CAST(? AS text) FROM ?`,
      [account_id, created_at, jsonRows(sql, sites, ['id', 'origin', 'hostname', 'tags'])],
    ),
);

/** Inserts tokens. Never replaces one, so that published proofs remain valid. @param tokens JSON: `[{host, token}, …]` */
const insertOwnershipTokens = defineQuery<never, { account_id: string; tokens: string }>(
  (sql, { account_id, tokens }) =>
    // Without a WHERE, SQLite parses ON CONFLICT after FROM as a join condition.
    sql.raw(
      `INSERT INTO ownership_tokens (account_id, host, token) SELECT CAST(? AS text), input.host, input.token FROM ?
        WHERE true ON CONFLICT (account_id, host) DO NOTHING`,
      [account_id, jsonRows(sql, tokens, ['host', 'token'])],
    ),
);

/**
 * Adds the sites that can be added, in order, and sets the state of each line. A second call with the same lines adds the remaining ones.
 * @throws InputError if there is no such account; nothing is added then
 */
export async function addLines(
  context: SitesContext,
  accountId: string,
  lines: readonly ListLine[],
): Promise<readonly ListLine[]> {
  const { db, clock, vetSite } = context;
  if (pendingLines(lines).length === 0) return lines;
  const account = await findAccount(db, accountId);
  // Rejects what it can without DNS lookups.
  await rejectLines(db, context, account, pendingLines(lines));
  const until = timeAfter(clock.now(), VETTING_MS_MAX);
  const allowed = new Set<ListLine>();
  await inParallel(pendingLines(lines), VETTING_CONCURRENCY, async (line) => {
    if (clock.now() > until) return;
    const origin = new URL(line.origin);
    if (await vetSite(origin)) allowed.add(line);
    else Object.assign(line, { state: 'refused', why: describeRefusal(origin) });
  });
  const vetted = pendingLines(lines).filter((line) => allowed.has(line));
  if (vetted.length > 0) await db.transaction((tx) => insertLines(tx, context, account.id, vetted));
  return lines;
}

/** Inserts the sites that can be added. Locks the account, because no index prevents two sites for http and https of one host. */
async function insertLines(
  tx: Tx,
  context: SitesContext,
  account_id: string,
  lines: readonly PendingLine[],
): Promise<void> {
  const now = context.clock.now();
  // The previous attempt of a retried transaction has set other states.
  for (const line of lines) Object.assign(line, { state: 'unchecked', why: NOT_LOOKED_UP, siteId: null });
  const { plan } = await lockAccount(tx, account_id);
  await rejectLines(tx, context, { id: account_id, plan }, lines);
  const added = pendingLines(lines);
  if (added.length === 0) return;
  for (const line of added) Object.assign(line, { state: 'added', why: null, siteId: newId('site') });
  const sites = added.map(({ siteId: id, origin, hostname, tags }) => ({
    id,
    origin,
    hostname,
    tags: serializeTags(tags),
  }));
  await tx.run(insertSites({ account_id, created_at: now.toISOString(), sites: JSON.stringify(sites) }));
  const hosts = added.flatMap((site) => [site.hostname, domainOfSite(site) ?? []].flat());
  const tokens = hosts.map((host) => ({ host, token: newOwnershipToken() }));
  await tx.run(insertOwnershipTokens({ account_id, tokens: JSON.stringify(tokens) }));
  const hostnames = added.map(({ hostname }) => hostname);
  await recordEvents(tx, { accountId: account_id, event: 'site_added', now }, hostnames);
}

/** Sets the state of lines that cannot be added. @param lines at most one per host */
async function rejectLines(
  sql: Sql,
  context: SitesContext,
  { id: account_id, plan }: Pick<Account, 'id' | 'plan'>,
  lines: readonly PendingLine[],
): Promise<void> {
  // Exclusions apply to all ports.
  const nameOf = ({ origin }: PendingLine): string => new URL(origin).hostname;
  const excluded = await findExcluded(sql, lines.map(nameOf));
  const rows = await sql.run(siteTable.find({ account_id }, ['origin', 'hostname', 'is_deleting']));
  const byHost = Map.groupBy(rows, ({ hostname }) => removeDefaultPort(hostname));
  const sitesMax = sitesMaxOf(context, plan);
  let sitesLeft = sitesMax - rows.filter(({ is_deleting }) => is_deleting === 0).length;
  for (const line of lines) {
    const reject = (state: LineState, why: string | null) => Object.assign(line, { state, why });
    const others = byHost.get(removeDefaultPort(line.hostname)) ?? [];
    const { origin: existing } = others.find(({ is_deleting }) => is_deleting === 0) ?? {};
    if (excluded.has(nameOf(line))) reject('refused', EXCLUDED);
    else if (existing === line.origin) reject('existing', line.tags.length === 0 ? null : TAGS_NOT_ADDED);
    else if (existing !== undefined) {
      const why = `The account already has this host, as ${existing}. Its http and https addresses count as one site. To switch, remove that site first.`;
      reject('existing', why);
    } else if (others.some(({ origin }) => origin === line.origin)) {
      reject('refused', 'This site was removed, and its runs are still being erased. Add it again in a few minutes.');
    } else if (sitesLeft <= 0) {
      const why = `An account on the plan ${plan} can have ${countOf(sitesMax, 'site')}. Remove one first, or ask the operator of this service for more.`;
      reject('over-limit', why);
    } else sitesLeft -= 1;
  }
}

/**
 * Parses a list of sites: one address per line, followed by tags such as `#shops`. Skips blank lines and lines that begin with `#`.
 * @throws InputError for a list without addresses, or with more than {@link LIST_LINES_MAX}
 */
export function parseSiteList(text: string): readonly ListLine[] {
  const entries = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
  if (entries.length === 0) throw new InputError('Enter at least one address, such as example.com.');
  if (entries.length > LIST_LINES_MAX) {
    throw new InputError(
      `This list has ${formatCount(entries.length)} addresses. Nothing was added. Enter at most ${LIST_LINES_MAX} at a time.`,
    );
  }
  const firstLines = new Map<string, number>();
  return entries.map(({ line, text }) => {
    const parsed = parseLine(line, text);
    if (parsed.hostname === null) return parsed;
    const host = removeDefaultPort(parsed.hostname);
    const first = firstLines.get(host);
    if (first !== undefined) {
      const why = `Same as line ${first}.${parsed.tags.length === 0 ? '' : ' Its tags were not added.'}`;
      return { ...parsed, state: 'duplicate', why };
    }
    firstLines.set(host, line);
    return parsed;
  });
}

export function parseLine(line: number, text: string): ListLine {
  const [address = '', ...tags] = text.split(/\s#/);
  const trimmed = address.trim();
  const parsed = { line, shownAddress: redactAddress(trimmed), siteId: null };
  try {
    if (/\t|[,;](?:\s|$)/.test(trimmed)) throw new InputError(ONE_PER_LINE);
    const { hostname, origin } = parseSiteInput(trimmed);
    const site = { hostname, origin: origin.origin, tags: parseTags(tags.join(',')) };
    return { ...parsed, ...site, state: 'unchecked', why: NOT_LOOKED_UP };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...parsed, hostname: null, origin: null, tags: [], state: 'refused', why: error.message };
  }
}

/** Removes credentials, queries and fragments, and replaces control characters, which could control a terminal. */
function redactAddress(text: string): string {
  const shown = text
    .toWellFormed()
    .replace(/^([^/\\:]*:[/\\]*)?[^/\\]*@/u, '$1…@')
    .replace(/[?#].*/su, '')
    .replaceAll(/\p{C}/gu, '\uFFFD');
  if (shown === '' && text !== '') return '…';
  return shown.length > GIVEN_CHARS_MAX ? `${shown.slice(0, GIVEN_CHARS_MAX - 1).toWellFormed()}…` : shown;
}
