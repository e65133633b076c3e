import { InputError } from '../../platform/errors.js';
import type { Sql } from '../../store/database.js';
import { defineQuery, table } from '../../store/query.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { NOT_VERIFIED } from './site.js';
import { parseSiteInput } from './site-input.js';

export const EXCLUDED =
  'The owner of this site has asked us not to scan it, so it cannot be scanned here. Only the operator of this service can change that.';

const excludedHosts = table('excluded_hosts');

/** The time is ISO 8601, UTC. */
const selectHosts = defineQuery<{ host: string; excludedAt: string }>((sql) =>
  sql('excluded_hosts').select('host', 'excluded_at as excludedAt').orderBy('host'),
);

/** Excludes the host. If it is already excluded, does not change the date. */
const insertHost = defineQuery<never, { host: string; excluded_at: string }>((sql, { host, excluded_at }) =>
  sql('excluded_hosts').insert({ host, excluded_at }).onConflict('host').ignore(),
);

/** Matches the host and its subdomains, with any port. `:host` contains neither `%` nor `_`. */
const IS_ON_HOST = `(hostname = :host OR hostname LIKE :host || ':%'
  OR hostname LIKE '%.' || :host OR hostname LIKE '%.' || :host || ':%')`;

const endOwnerships = defineQuery<
  { id: string; account_id: string; hostname: string },
  { host: string; lost_at: string }
>((sql, { host, lost_at }) =>
  sql('sites')
    .where({ is_deleting: 0 })
    .whereNotNull('verified_at')
    .whereRaw(IS_ON_HOST, { host })
    .update({ ...NOT_VERIFIED, ownership_lost_at: lost_at })
    .returning(['id', 'account_id', 'hostname']),
);

const BELONGS_TO_EXCLUDED_SITE = `site_id IN (SELECT id FROM sites WHERE ${IS_ON_HOST})`;

/** Deletions of cached and public results. */
const DELETE_RESULTS = Object.entries({
  run_evidence: BELONGS_TO_EXCLUDED_SITE,
  publications: BELONGS_TO_EXCLUDED_SITE,
  free_scans: IS_ON_HOST,
}).map(([table, condition]) =>
  defineQuery<never, { host: string }>((sql, { host }) => sql(table).whereRaw(condition, { host }).delete()),
);

/**
 * Excludes a host whose owner asked the operator not to scan it. Later scans send no request to it or its subdomains. Their sites lose
 * their verification and cannot be added, verified or scanned. Deletes cached and public results.
 * @returns the sites that are no longer verified
 * @throws InputError if the input is not a host
 */
export async function excludeHost({ db, clock }: Pick<Context, 'db' | 'clock'>, input: string) {
  const host = parseHost(input);
  const now = clock.now();
  const at = now.toISOString();
  const siteIds = await db.transaction(async (tx) => {
    await tx.run(insertHost({ host, excluded_at: at }));
    const ended = await tx.run(endOwnerships({ host, lost_at: at }));
    for (const { account_id: accountId, hostname: subject } of ended) {
      await recordEvent(tx, { accountId, event: 'ownership_lost', subject, now });
    }
    for (const deleteResults of DELETE_RESULTS) await tx.run(deleteResults({ host }));
    return ended.map(({ id }) => id);
  });
  return { host, siteIds };
}

/** Ends an exclusion. @throws InputError if the host is not excluded */
export async function includeHost({ db }: Pick<Context, 'db'>, input: string) {
  const host = parseHost(input);
  if (!(await db.one(excludedHosts.delete({ host })))) throw new InputError(`${host} is not excluded.`);
  return { host };
}

export function listExcludedHosts(sql: Pick<Sql, 'run'>) {
  return sql.run(selectHosts({}));
}

/** @throws InputError for an excluded host or its subdomain */
export async function refuseExcluded(sql: Sql, { hostname }: URL): Promise<void> {
  if ((await findExcluded(sql, [hostname])).size > 0) throw new InputError(EXCLUDED);
}

export async function findExcluded(sql: Sql, hostnames: readonly string[]): Promise<ReadonlySet<string>> {
  const hosts = (await listExcludedHosts(sql)).map(({ host }) => host);
  return new Set(hostnames.filter((name) => hosts.some((host) => name === host || name.endsWith(`.${host}`))));
}

/** Parses a host, an origin or the address of a page. @throws InputError */
function parseHost(input: string): string {
  const { hostname } = parseSiteInput(input).origin;
  // Host names of public sites have no other characters, and `_` would match any character in LIKE.
  if (!/^[a-z0-9.:[\]-]+$/.test(hostname))
    throw new InputError('This is not a host name or web address. Enter one such as example.com.');
  return hostname;
}
