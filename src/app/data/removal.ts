import type { Knex } from 'knex';
import { OutOfTime, type Pause, pauseFor, yieldToEventLoop } from '../../platform/concurrency.js';
import { ServiceError } from '../../platform/errors.js';
import { inBatches } from '../../store/cleanup.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery, deleteReturning, isPostgres, type Query } from '../../store/query.js';
import { type Account, findAccount, noSuchAccount } from '../accounts/accounts.js';
import { ACCOUNT_MAIL } from '../accounts/mails.js';
import { recordWebhooksOf } from '../alerts/webhooks.js';
import { currentActor, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { BulkOutcome } from '../sites/bulk-change.js';
import { findOwnSites, markSiteForRemoval, type OwnSite, type Site, siteTable } from '../sites/site.js';
import { noSuchSite, parseSiteId } from '../sites/sites.js';

/*
 * A removal has two parts. One transaction marks the site or account: from then on it is hidden, none of its jobs start, none of its
 * messages are sent, and a run in progress stores nothing. Its rows are then erased in batches, because a site may have a hundred thousand
 * runs: one statement would exceed PostgreSQL's time limit, and block the process on SQLite. After a crash, the next sweep continues.
 */

export const ERASE_EVERY_MS = 10_000;

/** Maximum time that a request waits for the erasure. */
const WAIT_MS = 3000;

/** An account whose access is revoked. */
interface Revoked {
  readonly account_id: string;
  /** The address that it had before it was marked. */
  readonly email: string;
}

type Rows = (sql: Knex, revoked: Readonly<Record<keyof Revoked, Knex.Raw>>) => Knex.QueryBuilder;

/** Defines a statement that deletes rows at once, but of deliveries only the unsent ones: the others are many. */
function defineRevocation(table: string, rowsOf: Rows) {
  return defineQuery<never, Revoked>((sql, revoked) => {
    const rows = rowsOf(sql, revoked);
    return (table === 'deliveries' ? rows.whereRaw("state = 'waiting'") : rows).delete();
  });
}

/**
 * Delete what gives access to the marked sites of an account, and what is still to be done for them, in the order in which other transactions
 * lock the rows: a planner locks a schedule, then adds its job; a delivery locks its job, then its message. `ON DELETE CASCADE` deletes the
 * rows of other tables.
 */
const REVOKE_SITES = ['publications', 'schedules', 'jobs', 'deploy_hooks', 'deliveries'].map((table) =>
  defineRevocation(table, (sql, { account_id }) =>
    sql(table).whereIn('site_id', sql('sites').select('id').where({ account_id, is_deleting: 1 })),
  ),
);

/** Rows that a visitor's request has left for the address of the account, such as a mail that is not sent yet. */
const BY_ADDRESS: Readonly<Record<string, Rows>> = {
  sign_in_links: (sql, { email }) => sql('sign_in_links').where({ email }),
  jobs: (sql, { email }) => {
    const recipient = isPostgres(sql) ? `CAST(payload AS jsonb) ->> 'email'` : `payload ->> 'email'`;
    return sql('jobs').where({ kind: ACCOUNT_MAIL }).whereRaw(`${recipient} = ?`, [email]);
  },
};

/** Delete credentials and pending work of an account. */
const REVOKE_ACCOUNT = ['sessions', 'sign_in_links', 'api_keys', 'jobs', 'deliveries'].map((table) =>
  defineRevocation(table, (sql, revoked) => {
    const byAddress = BY_ADDRESS[table]?.(sql, revoked);
    const { account_id } = revoked;
    return byAddress ? byAddress.orWhere({ account_id }) : sql(table).where({ account_id });
  }),
);

/** Few enough that no statement takes long: 100 runs are about a megabyte. */
const ROWS_AT_ONCE = 100;

/** @param condition with the id of the account or site as `?` */
function defineErasure(table: string, key: readonly [string, ...string[]], condition: string) {
  return defineQuery<object, { id: string }>((sql, { id }) => {
    const some = sql(table).select(key).whereRaw(condition, [id]).limit(ROWS_AT_ONCE);
    return deleteReturning(sql, sql(table).whereIn([...key], some), key[0]);
  });
}

/** Delete some of the many rows that a removed site may have. Its webhooks may have sent alerts of other sites. */
const ERASE_SITE = [
  defineErasure('runs', ['site_id', 'number'], 'site_id = ?'),
  defineErasure('deliveries', ['id'], 'site_id = ?'),
  defineErasure('deliveries', ['id'], 'webhook_id IN (SELECT id FROM webhooks WHERE site_id = ?)'),
];

/** Delete some of the many rows that a removed account may have besides its sites. */
const ERASE_ACCOUNT = [
  defineErasure('audit_events', ['id'], 'account_id = ?'),
  defineErasure('deliveries', ['id'], 'account_id = ?'),
];

/** Removes sites with everything stored for them. A site that is added again has a new id, but keeps its used daily runs. */
export function createSiteRemoval({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  /** @returns the sites that existed */
  const removeSites = async (ids: readonly string[], eraseForMs = WAIT_MS): Promise<readonly Site[]> => {
    const sites = await db.transaction((tx) => markSites(tx, ids, clock.now()));
    await eraseFor(eraseForMs, async (pause) => {
      for (const { id } of sites) await eraseSite(db, id, pause);
    });
    return sites;
  };
  return {
    /** Resolves once everything is erased. @throws InputError if there is no such site */
    async remove(siteId: string): Promise<Site> {
      const [site] = await removeSites([parseSiteId(siteId)], Infinity);
      if (!site) throw noSuchSite();
      return site;
    },
    /** Waits a few seconds; the next sweep erases the rest. @throws ServiceError site_not_found if it was removed in the meantime */
    async removeOwn({ id }: OwnSite): Promise<Site> {
      const [site] = await removeSites([id]);
      if (!site) throw new ServiceError('site_not_found');
      return site;
    },
    /** Removes the account's sites among these, all or none of them. */
    async removeMany(accountId: string, siteIds: readonly string[]): Promise<BulkOutcome> {
      const own = await findOwnSites(db, { accountId, siteIds });
      const removed = await removeSites(own.map(({ id }) => id));
      return { done: removed.map(({ hostname }) => hostname), unchanged: [], skipped: [] };
    },
  };
}

/** @param ids sites of one account @returns the sites that existed and were not marked before */
async function markSites(tx: Tx, ids: readonly string[], now: Date): Promise<readonly Site[]> {
  const sites: Site[] = [];
  // Sorted, so that no two transactions wait for each other.
  for (const id of ids.toSorted()) {
    const site = await markSiteForRemoval(tx, id);
    if (site) sites.push(site);
  }
  if (!sites[0]) return [];
  const { accountId } = sites[0];
  for (const revoke of REVOKE_SITES) await tx.run(revoke({ account_id: accountId, email: '' }));
  await recordWebhooksOf(tx, { accountId, siteIds: sites.map(({ id }) => id), now });
  const hostnames = sites.map(({ hostname }) => hostname);
  await recordEvents(tx, { accountId, event: 'site_removed', now }, hostnames);
  return sites;
}

/** The log is the only record of a removed account. */
export type RemovalContext = Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'logger'>>;

/** Frees the e-mail address for another account: the column is unique, so it is set to the id. Returns a row to only one caller. */
const markAccountRemoved = defineQuery<{ id: string }, { id: string; now: string }>((sql, { id, now }) => {
  const none = sql.raw('NULL');
  return sql('accounts')
    .where({ id })
    .whereNull('removed_at')
    .update({ email: id, name: '', password_hash: none, email_alerts_since: none, removed_at: now })
    .returning('id');
});

/**
 * Removes an account with its sites and everything else stored for it.
 * @param eraseForMs how long it waits; the next sweep erases the rest
 * @throws InputError if it does not exist or was marked before
 */
export async function removeAccount(
  { db, clock, logger }: RemovalContext,
  accountId: string,
  eraseForMs = WAIT_MS,
): Promise<Account> {
  const account = await db.transaction(async (tx) => {
    const found = await findAccount(tx, accountId);
    const { id, email } = found;
    if (!(await tx.one(markAccountRemoved({ id, now: clock.now().toISOString() })))) throw noSuchAccount();
    await tx.run(markSitesOf(id));
    for (const revoke of [...REVOKE_SITES, ...REVOKE_ACCOUNT]) await tx.run(revoke({ account_id: id, email }));
    return found;
  });
  logger?.info({ accountId: account.id, by: currentActor().actor }, 'account removed');
  await eraseFor(eraseForMs, (pause) => eraseAccount(db, account.id, pause));
  return account;
}

function markSitesOf(account_id: string): Query<object> {
  return siteTable.update({ account_id, is_deleting: 0 }, { is_deleting: 1 });
}

/** Never rejects: the next sweep erases what is left. */
async function eraseFor(ms: number, work: (pause: Pause) => Promise<void>): Promise<void> {
  await work(pauseFor(ms)).catch(() => undefined);
}

// Raw SQL, so that it matches the condition of the partial index.
const selectMarkedSites = defineQuery<{ id: string }>((sql) => sql('sites').select('id').whereRaw('is_deleting = 1'));

const selectRemovedAccounts = defineQuery<{ id: string }>((sql) =>
  sql('accounts').select('id').whereNotNull('removed_at'),
);

/** Erases all marked sites and accounts. If one fails, it continues with the others. @throws the first failure, at the end */
export async function eraseMarked(db: Database, pause: Pause = yieldToEventLoop): Promise<void> {
  const failures: unknown[] = [];
  for (const [selectMarked, erase] of [
    [selectMarkedSites, eraseSite],
    [selectRemovedAccounts, eraseAccount],
  ] as const) {
    for (const { id } of await db.run(selectMarked({}))) {
      await erase(db, id, pause).catch((error: unknown) => {
        if (error instanceof OutOfTime) throw error;
        failures.push(error);
      });
    }
  }
  if (failures.length > 0) throw failures[0];
}

const deleteRemovedAccount = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).whereNotNull('removed_at').delete(),
);

async function eraseAccount(db: Database, id: string, pause: Pause): Promise<void> {
  // A site may have been added while the account was marked.
  await db.run(markSitesOf(id));
  const sites = await db.run(siteTable.find({ account_id: id, is_deleting: 1 }, ['id']));
  for (const site of sites) await eraseSite(db, site.id, pause);
  for (const deleteSome of ERASE_ACCOUNT) await inBatches(db, deleteSome({ id }), pause);
  await db.run(deleteRemovedAccount({ id }));
  await pause();
}

async function eraseSite(db: Database, id: string, pause: Pause): Promise<void> {
  for (const deleteSome of ERASE_SITE) await inBatches(db, deleteSome({ id }), pause);
  await db.run(siteTable.delete({ id, is_deleting: 1 }));
  await pause();
}
