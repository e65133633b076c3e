import { hostOf } from '../../scanner/artifacts/site-address.js';
import { registrableDomain } from '../../net/url-gate.js';
import { newId } from '../../platform/ids.js';
import { inParallel } from '../../platform/concurrency.js';
import { InputError } from '../../platform/input-error.js';
import { startDeadline, type StartTimer } from '../../platform/timer.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { findAccount, lockAccount, parseAccountId } from '../accounts/accounts.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { EXCLUDED, excludedAmong } from './excluded-hosts.js';
import { newOwnershipToken } from './proof.js';
import { describeRefusal, parseSiteInput } from './site-input.js';
import { isPending, type LineState, type ListLine, type PendingLine, parseSiteList } from './site-list.js';
import { NOT_VERIFIED, type Site, siteOf, siteTable } from './site.js';
import { storedTags } from './tags.js';

export interface SitesContext extends Pick<Context, 'db' | 'clock' | 'vetSite'> {
  readonly sitesMaxOverride?: number | null;
  /** Replaced by tests. */
  readonly startTimer?: StartTimer;
}

/** Returns how many sites an account may have. */
export function sitesMaxOf({ sitesMaxOverride }: Pick<SitesContext, 'sitesMaxOverride'>, plan: Plan): number {
  return sitesMaxOverride ?? PLANS[plan].sitesMax;
}

/** Concurrent lookups of host names, and the time limit for a whole list. */
const VETTED_AT_ONCE = 64;
const VETTING_MS = 20_000;

interface NewSite {
  readonly id: string;
  readonly origin: string;
  readonly hostname: string;
  readonly tags: readonly string[];
}

/** Why a site cannot be added. */
interface Rejection {
  readonly state: Extract<LineState, 'had' | 'refused' | 'over'>;
  readonly message: string;
  /** Adds to the state in the results of a list; null if there is nothing to add. */
  readonly why: string | null;
}

/** @param sites JSON: `[{id, origin, hostname, tags}, …]` */
const insertSites = defineQuery<never, { account_id: string; created_at: string; sites: string }>(
  (sql, { account_id, created_at, sites }) =>
    sql.raw(
      `INSERT INTO sites (id, account_id, origin, hostname, tags, created_at)
        SELECT given.id, CAST(? AS text), given.origin, given.hostname, given.tags, CAST(? AS text) FROM ?`,
      [account_id, created_at, jsonRows(sql, sites, ['id', 'origin', 'hostname', 'tags'])],
    ),
);

/** Inserts missing tokens. Existing ones stay, so that published proofs stay valid. @param tokens JSON: `[{host, token}, …]` */
const insertOwnershipTokens = defineQuery<never, { account_id: string; tokens: string }>(
  (sql, { account_id, tokens }) =>
    // Without a WHERE, SQLite parses ON CONFLICT after FROM as a join condition.
    sql.raw(
      `INSERT INTO ownership_tokens (account_id, host, token) SELECT CAST(? AS text), given.host, given.token FROM ?
        WHERE true ON CONFLICT (account_id, host) DO NOTHING`,
      [account_id, jsonRows(sql, tokens, ['host', 'token'])],
    ),
);

/**
 * Adds a site, unless the account has reached its limit.
 * @param input a host name, or an origin with scheme and port
 * @throws InputError
 */
export async function addSite(context: SitesContext, accountId: string, input: string): Promise<Site> {
  const account_id = parseAccountId(accountId);
  const { origin, hostname } = parseSiteInput(input);
  // The same answer for every refused target, so that it does not reveal the addresses behind a name.
  if (!(await context.vetSite(origin))) throw new InputError(describeRefusal(origin));
  const now = context.clock.now();
  const site = { id: newId('site'), origin: origin.origin, hostname, tags: [] };
  const [rejection] = await context.db.transaction((tx) => addSites(tx, context, account_id, [site], now));
  if (rejection) throw new InputError(rejection.message);
  const row = { ...site, ...NOT_VERIFIED, account_id, created_at: now.toISOString(), tags: null, is_deleting: 0 };
  return siteOf({ ...row, run_counter: 0, ownership_lost_at: null, chosen_pages: null, mail_muted_at: null });
}

/**
 * Adds the sites of a list that can be added, in its order. Adding the same list again adds the remaining ones.
 * @returns an outcome for each line
 * @throws InputError, before anything is added, for a list that is empty or too long, or an account that does not exist
 */
export async function addSiteList(
  context: SitesContext,
  accountId: string,
  text: string,
): Promise<readonly ListLine[]> {
  const { db, clock } = context;
  const lines = parseSiteList(text);
  const { id, plan } = await findAccount(db, accountId);
  const candidates = lines.filter(isPending);
  applyRejections(candidates, await findRejections(db, context, { id, plan }, candidates));
  const allowed = await vetAll(context, lines.filter(isPending));
  const sites = allowed.map(({ origin, hostname, tags }) => ({ id: newId('site'), origin, hostname, tags }));
  if (sites.length === 0) return lines;
  applyRejections(allowed, await db.transaction((tx) => addSites(tx, context, id, sites, clock.now())));
  for (const [index, line] of allowed.entries()) {
    const siteId = sites[index]?.id ?? null;
    if (isPending(line)) Object.assign(line, { state: 'added', why: null, siteId });
  }
  return lines;
}

function applyRejections(lines: readonly ListLine[], rejections: readonly (Rejection | null)[]): void {
  for (const [index, line] of lines.entries()) {
    const rejection = rejections[index];
    if (rejection) Object.assign(line, { state: rejection.state, why: rejection.why });
  }
}

/** Asks the guard about each site, and marks refused lines. @returns the lines that it allows in time */
async function vetAll(
  { vetSite, startTimer }: SitesContext,
  lines: readonly PendingLine[],
): Promise<readonly PendingLine[]> {
  const answers = new Map<PendingLine, boolean>();
  const deadline = startDeadline(VETTING_MS, startTimer);
  const vetting = inParallel(lines, VETTED_AT_ONCE, async (line) => {
    if (!deadline.isOver()) answers.set(line, await vetSite(new URL(line.origin)));
  });
  await Promise.race([vetting, deadline.over]).finally(deadline.cancel);
  for (const line of lines) {
    if (answers.get(line) === false)
      Object.assign(line, { state: 'refused', why: describeRefusal(new URL(line.origin)) });
  }
  return lines.filter((line) => answers.get(line));
}

/**
 * Adds the sites that can be added. Locks the account, because no index prevents two rows for http and https of one host.
 * @returns a rejection for each site, in their order; null if it was added
 */
async function addSites(
  tx: Tx,
  context: SitesContext,
  account_id: string,
  wanted: readonly NewSite[],
  now: Date,
): Promise<readonly (Rejection | null)[]> {
  const { plan } = await lockAccount(tx, account_id);
  const rejections = await findRejections(tx, context, { id: account_id, plan }, wanted);
  const added = wanted.filter((_site, index) => rejections[index] === null);
  if (added.length === 0) return rejections;
  const sites = added.map((site) => ({ ...site, tags: storedTags(site.tags) }));
  await tx.run(insertSites({ account_id, created_at: now.toISOString(), sites: JSON.stringify(sites) }));
  const tokens = added.flatMap(({ origin, hostname }) => {
    const domain = registrableDomain(new URL(origin).hostname);
    return [hostname, ...(domain === null ? [] : [domain])].map((host) => ({ host, token: newOwnershipToken() }));
  });
  await tx.run(insertOwnershipTokens({ account_id, tokens: JSON.stringify(tokens) }));
  const hostnames = added.map(({ hostname }) => hostname);
  await recordEvents(tx, { accountId: account_id, event: 'site_added', now }, hostnames);
  return rejections;
}

/**
 * Finds what prevents each site from being added.
 * @param wanted sites on different hosts
 * @returns a rejection or null for each site, in their order
 */
async function findRejections(
  sql: Sql,
  context: SitesContext,
  { id: account_id, plan }: { readonly id: string; readonly plan: Plan },
  wanted: readonly Pick<NewSite, 'origin' | 'hostname'>[],
): Promise<readonly (Rejection | null)[]> {
  const excluded = await excludedAmong(sql, wanted.map(nameOf));
  const rows = await sql.run(siteTable.find({ account_id }, ['origin', 'hostname', 'is_deleting']));
  const byHost = Map.groupBy(rows, ({ hostname }) => hostOf(hostname));
  const sitesMax = sitesMaxOf(context, plan);
  let sitesLeft = sitesMax - rows.filter(({ is_deleting }) => is_deleting === 0).length;
  return wanted.map(({ origin, hostname }) => {
    if (excluded.has(nameOf({ origin }))) return { state: 'refused', message: EXCLUDED, why: EXCLUDED };
    const others = byHost.get(hostOf(hostname)) ?? [];
    const existing = others.find(({ is_deleting }) => is_deleting === 0);
    if (existing?.origin === origin) return { state: 'had', message: SITE_ADDED, why: null };
    if (existing) return { state: 'had', message: describeOther(existing.origin), why: `As ${existing.origin}.` };
    if (others.some((other) => other.origin === origin)) return { state: 'refused', message: ERASING, why: ERASING };
    if (sitesLeft <= 0) return { state: 'over', message: describeLimit(plan, sitesMax), why: null };
    sitesLeft -= 1;
    return null;
  });
}

/** Returns the host name without its port: exclusions apply to all ports. */
function nameOf({ origin }: Pick<NewSite, 'origin'>): string {
  return new URL(origin).hostname;
}

const SITE_ADDED = 'The account has this site already. Its id is in the list of sites.';
const ERASING = 'This site was removed, and its runs are still being erased. Add it again in a few minutes.';

function describeOther(origin: string): string {
  return `The account has this host already, as ${origin}. http and https of one host and port are one site: to change over, remove that one first.`;
}

function describeLimit(plan: Plan, sitesMax: number): string {
  return `An account on the plan ${plan} may have ${countOf(sitesMax, 'site')}. Remove one first, or ask the operator of this service for more.`;
}
