import { inParallel } from '../../platform/concurrency.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { startDeadline, type StartTimer } from '../../platform/timer.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { hostOf } from '../../scanner/artifacts/site-address.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, jsonRows } from '../../store/query.js';
import { type Account, findAccount, lockAccount } from '../accounts/accounts.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import { EXCLUDED, excludedAmong } from './excluded-hosts.js';
import { domainOfSite, newOwnershipToken } from './proof.js';
import { describeRefusal } from './site-input.js';
import { isPending, type LineResult, type ListLine, type PendingLine, parseLine, parseSiteList } from './site-list.js';
import { readSite, type Site, siteTable } from './site.js';
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

/** Concurrent lookups of host names, and the time limit for all. */
const VETTED_AT_ONCE = 64;
const VETTING_MS = 20_000;

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
  const [line] = await addLines(context, accountId, [parseLine(1, input)]);
  const site = line?.siteId && (await readSite(context.db, line.siteId));
  if (!site) throw new InputError(line?.why ?? 'The account has this site already. Its id is in the list of sites.');
  return site;
}

/**
 * Adds the sites of a list that can be added, in its order. Adding the same list again adds the remaining ones.
 * @returns the lines with their results
 * @throws InputError, before anything is added, for a list that is empty or too long, or an account that does not exist
 */
export async function addSiteList(
  context: SitesContext,
  accountId: string,
  text: string,
): Promise<readonly ListLine[]> {
  return addLines(context, accountId, parseSiteList(text));
}

/** Results by line. */
type Results = ReadonlyMap<ListLine, LineResult>;

async function addLines(
  context: SitesContext,
  accountId: string,
  lines: readonly ListLine[],
): Promise<readonly ListLine[]> {
  const { db, clock } = context;
  const pending = lines.filter(isPending);
  if (pending.length === 0) return lines;
  const account = await findAccount(db, accountId);
  const rejected = await findRejections(db, context, account, pending);
  const open = pending.filter((line) => !rejected.has(line));
  const answers = await vetAll(context, open);
  const refused = open
    .filter((line) => answers.get(line) === false)
    .map((line) => [line, { state: 'refused', why: describeRefusal(new URL(line.origin)), siteId: null }] as const);
  const allowed = open.filter((line) => answers.get(line));
  const insert = (tx: Tx) => insertAll(tx, context, account.id, allowed, clock.now());
  const inserted: Results = allowed.length > 0 ? await db.transaction(insert) : new Map();
  const results: Results = new Map([...rejected, ...refused, ...inserted]);
  return lines.map((line) => ({ ...line, ...results.get(line) }));
}

/** Asks the guard about each site. @returns its answers in time. A refusal never reveals the addresses behind a name */
async function vetAll(
  { vetSite, startTimer }: SitesContext,
  lines: readonly PendingLine[],
): Promise<ReadonlyMap<ListLine, boolean>> {
  const answers = new Map<ListLine, boolean>();
  const deadline = startDeadline(VETTING_MS, startTimer);
  const vetting = inParallel(lines, VETTED_AT_ONCE, async (line) => {
    if (!deadline.isOver()) answers.set(line, await vetSite(new URL(line.origin)));
  });
  await Promise.race([vetting, deadline.over]).finally(deadline.cancel);
  return new Map(answers);
}

/** Inserts the sites that can be added. Locks the account, because no index prevents two rows for http and https of one host. */
async function insertAll(
  tx: Tx,
  context: SitesContext,
  account_id: string,
  lines: readonly PendingLine[],
  now: Date,
): Promise<Results> {
  const { plan } = await lockAccount(tx, account_id);
  const rejected = await findRejections(tx, context, { id: account_id, plan }, lines);
  const added = lines.filter((line) => !rejected.has(line)).map((line) => ({ line, id: newId('site') }));
  if (added.length === 0) return rejected;
  const sites = added.map(({ id, line: { origin, hostname, tags } }) => ({
    id,
    origin,
    hostname,
    tags: storedTags(tags),
  }));
  await tx.run(insertSites({ account_id, created_at: now.toISOString(), sites: JSON.stringify(sites) }));
  const tokens = sites.flatMap((site) => {
    const domain = domainOfSite(site);
    return [site.hostname, ...(domain === null ? [] : [domain])].map((host) => ({ host, token: newOwnershipToken() }));
  });
  await tx.run(insertOwnershipTokens({ account_id, tokens: JSON.stringify(tokens) }));
  const hostnames = sites.map(({ hostname }) => hostname);
  await recordEvents(tx, { accountId: account_id, event: 'site_added', now }, hostnames);
  return new Map([
    ...rejected,
    ...added.map(({ line, id }) => [line, { state: 'added', why: null, siteId: id }] as const),
  ]);
}

/** Finds what prevents sites from being added. @param lines sites on different hosts */
async function findRejections(
  sql: Sql,
  context: SitesContext,
  { id: account_id, plan }: Pick<Account, 'id' | 'plan'>,
  lines: readonly PendingLine[],
): Promise<Results> {
  // Exclusions apply to all ports.
  const nameOf = ({ origin }: PendingLine): string => new URL(origin).hostname;
  const excluded = await excludedAmong(sql, lines.map(nameOf));
  const rows = await sql.run(siteTable.find({ account_id }, ['origin', 'hostname', 'is_deleting']));
  const byHost = Map.groupBy(rows, ({ hostname }) => hostOf(hostname));
  const sitesMax = sitesMaxOf(context, plan);
  let sitesLeft = sitesMax - rows.filter(({ is_deleting }) => is_deleting === 0).length;
  const rejected = new Map<ListLine, LineResult>();
  for (const line of lines) {
    const reject = (state: LineResult['state'], why: string | null) => rejected.set(line, { state, why, siteId: null });
    const others = byHost.get(hostOf(line.hostname)) ?? [];
    const existing = others.find(({ is_deleting }) => is_deleting === 0);
    if (excluded.has(nameOf(line))) reject('refused', EXCLUDED);
    else if (existing) reject('had', existing.origin === line.origin ? null : describeOther(existing.origin));
    else if (others.some(({ origin }) => origin === line.origin)) reject('refused', ERASING);
    else if (sitesLeft <= 0) reject('over', describeLimit(plan, sitesMax));
    else sitesLeft -= 1;
  }
  return rejected;
}

const ERASING = 'This site was removed, and its runs are still being erased. Add it again in a few minutes.';

function describeOther(origin: string): string {
  return `The account has this host already, as ${origin}. http and https of one host and port are one site: to change over, remove that one first.`;
}

function describeLimit(plan: Plan, sitesMax: number): string {
  return `An account on the plan ${plan} may have ${countOf(sitesMax, 'site')}. Remove one first, or ask the operator of this service for more.`;
}
