import { OutOfTime, type Pause, timeLimitedPause, yieldToEventLoop } from '../../platform/concurrency.js';
import { ServiceError } from '../../platform/errors.js';
import { parseId, requireFound } from '../../platform/ids.js';
import { defineDeletion } from '../../store/batches.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery, type TableName } from '../../store/query.js';
import { type Account, accounts, findAccount, lockAccount, toAccount } from '../accounts/accounts.js';
import { ACCOUNT_MAIL } from '../accounts/mails.js';
import { recordRemovedWebhooks } from '../alerts/webhooks.js';
import { currentActor, recordEvents } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { BulkOutcome } from '../sites/bulk-change.js';
import { findOwnSites, markSiteForRemoval, type OwnSite, type Site, siteTable } from '../sites/site.js';

/*
 * A removal has two parts. First, one transaction marks the site or account. From then on it is hidden, none of its jobs start, none of its
 * messages are sent, and a run in progress stores nothing. Then its rows are erased in batches, because a site may have a hundred thousand
 * runs: a single statement would exceed PostgreSQL's time limit, or block the process on SQLite. `ON DELETE CASCADE` deletes the rows of
 * small tables. After a crash, the next sweep continues.
 */

export const ERASE_EVERY_MS = 10_000;

/** Maximum time that a request waits for the erasure. */
const WAIT_MS = 3000;

/**
 * Defines a function that deletes rows, table by table in the order of the conditions.
 * @param conditions SQL with the parameters account_id and email
 */
function defineRevocation(conditions: Readonly<Partial<Record<TableName, string>>>) {
  const deletions = Object.entries(conditions).map(([table, condition]) =>
    defineQuery<never, Record<'account_id' | 'email', string>>((sql, { account_id, email }) =>
      sql(table).whereRaw(condition, { account_id, email }).delete(),
    ),
  );
  return async (tx: Tx, account_id: string, email = ''): Promise<void> => {
    for (const deletion of deletions) await tx.run(deletion({ account_id, email }));
  };
}

const BELONGS_TO_MARKED_SITE = 'site_id IN (SELECT id FROM sites WHERE account_id = :account_id AND is_deleting = 1)';

/**
 * Deletes public pages, schedules, jobs and deploy hooks of an account's marked sites. The order follows the lock order of other
 * transactions: queueDueRuns locks a schedule, then adds its job.
 */
const revokeSites = defineRevocation({
  publications: BELONGS_TO_MARKED_SITE,
  schedules: BELONGS_TO_MARKED_SITE,
  jobs: BELONGS_TO_MARKED_SITE,
  deploy_hooks: BELONGS_TO_MARKED_SITE,
});

/** Deletes credentials and jobs of an account, including links and mails that someone requested for its email address. */
const revokeAccount = defineRevocation({
  sessions: 'account_id = :account_id',
  sign_in_links: 'account_id = :account_id OR email = :email',
  api_keys: 'account_id = :account_id',
  jobs: `account_id = :account_id
    OR (kind = '${ACCOUNT_MAIL}' AND replace(payload, '"email":"' || :email || '"', '') <> payload)`,
});

/** Removes sites with all their data. A site that is added again gets a new id, but keeps its daily limits. */
export function createSiteRemoval({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  /** @returns the sites that existed */
  const removeSites = async (ids: readonly string[], waitMs = WAIT_MS): Promise<readonly Site[]> => {
    const sites = await db.transaction((tx) => markSites(tx, ids, clock.now()));
    if (sites[0]) await eraseWithin(waitMs, db, sites[0].accountId);
    return sites;
  };
  return {
    /** Resolves once everything is erased. @throws InputError if there is no such site */
    async remove(siteId: string): Promise<Site> {
      const [site] = await removeSites([parseId('site', siteId)], Infinity);
      return requireFound('site', site);
    },
    /** Waits a few seconds. The next sweep erases the rest. @throws ServiceError site_not_found if it was removed in the meantime */
    async removeOwn({ id }: OwnSite): Promise<Site> {
      const [site] = await removeSites([id]);
      if (!site) throw new ServiceError('site_not_found');
      return site;
    },
    /** Removes the sites that the account owns. After an error, none is removed. */
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
  // Sorted, so that concurrent transactions do not deadlock.
  for (const id of ids.toSorted()) {
    const site = await markSiteForRemoval(tx, id);
    if (site) sites.push(site);
  }
  if (!sites[0]) return [];
  const { accountId } = sites[0];
  await revokeSites(tx, accountId);
  await recordRemovedWebhooks(tx, { accountId, siteIds: sites.map(({ id }) => id), now });
  const hostnames = sites.map(({ hostname }) => hostname);
  await recordEvents(tx, { accountId, event: 'site_removed', now }, hostnames);
  return sites;
}

/** Counts of an account's data. Revoked keys are not counted. */
export interface AccountSummary {
  readonly account: Account;
  readonly sites: number;
  readonly runs: number;
  readonly keys: number;
  readonly webhooks: number;
}

const countAccountData = defineQuery<Omit<AccountSummary, 'account'>, { account_id: string }>((sql, { account_id }) => {
  const rows = (table: TableName) => sql(table).where({ account_id });
  const sites = () => rows('sites').where({ is_deleting: 0 });
  return sql.select({
    sites: sites().count(),
    runs: sites().select(sql.raw('COALESCE(sum(run_counter), 0)')),
    keys: rows('api_keys').whereNull('revoked_at').count(),
    webhooks: rows('webhooks').count(),
  });
});

/** Removes accounts with all their data. Methods reject with an InputError if there is no such account. */
export function createAccountRemoval({
  db,
  clock,
  logger,
}: Pick<Context, 'db' | 'clock'> & Partial<Pick<Context, 'logger'>>) {
  const remove = async (accountId: string, waitMs = Infinity): Promise<Account> => {
    const account = await db.transaction((tx) => markAccount(tx, accountId, clock.now()));
    // Only the log records that the account was removed.
    logger?.info({ accountId: account.id, by: currentActor().actor }, 'account removed');
    await eraseWithin(waitMs, db, account.id);
    return account;
  };
  return {
    async summary(accountId: string): Promise<AccountSummary> {
      const account = await findAccount(db, accountId);
      const counts = await db.one(countAccountData({ account_id: account.id }));
      return { account, ...requireFound('acc', counts) };
    },
    /** Resolves once everything is erased. The e-mail address can be used for a new account at once. */
    remove,
    /** Waits a few seconds. The next sweep erases the rest. */
    removeOwn: (accountId: string): Promise<Account> => remove(accountId, WAIT_MS),
  };
}

/** @throws InputError if the account does not exist or is already marked */
async function markAccount(tx: Tx, accountId: string, now: Date): Promise<Account> {
  const account = toAccount(await lockAccount(tx, accountId));
  const { id, email } = account;
  const cleared = { name: '', password_hash: null, email_alerts_since: null };
  // Frees the e-mail address. The column is unique, so it gets the id.
  await tx.run(accounts.update({ id }, { ...cleared, email: id, removed_at: now.toISOString() }));
  await tx.run(siteTable.update({ account_id: id, is_deleting: 0 }, { is_deleting: 1 }));
  await revokeSites(tx, id);
  await revokeAccount(tx, id, email);
  return account;
}

/** Erases the marked sites of an account, and the account if it is marked, within a time limit. Never rejects: the next sweep continues. */
async function eraseWithin(ms: number, db: Database, accountId: string): Promise<void> {
  await eraseRemoved(db, timeLimitedPause(ms), accountId).catch(() => undefined);
}

// The condition is raw SQL to match that of the partial index.
const selectMarkedSites = defineQuery<{ id: string; accountId: string }>((sql) =>
  sql('sites').select('id', 'account_id as accountId').whereRaw('is_deleting = 1'),
);

const selectRemovedAccounts = defineQuery<{ id: string; accountId: string }>((sql) =>
  sql('accounts').select('id', 'id as accountId').whereNotNull('removed_at'),
);

/** Deletions that erase a site, in batches. Its webhooks may have deliveries about other sites. */
const ERASE_SITE = [
  defineDeletion('runs', 'site_id = ?'),
  defineDeletion('deliveries', 'site_id = ?'),
  defineDeletion('deliveries', 'webhook_id IN (SELECT id FROM webhooks WHERE site_id = ?)'),
  defineDeletion('sites', 'id = ? AND is_deleting = 1'),
];

/** Deletions that erase an account, in batches. */
const ERASE_ACCOUNT = [
  defineDeletion('audit_events', 'account_id = ?'),
  defineDeletion('deliveries', 'account_id = ?'),
  defineDeletion('accounts', 'id = ? AND removed_at IS NOT NULL'),
];

/**
 * Erases all marked sites and accounts. After a failure, continues with the others.
 * @param accountId limits the work to this account, so that its removal does not wait for others
 * @throws the first failure, at the end
 */
export async function eraseRemoved(db: Database, pause: Pause = yieldToEventLoop, accountId?: string): Promise<void> {
  // Accounts are read first. An account and its sites are marked together, so its sites are then found.
  const removedAccounts = await db.run(selectRemovedAccounts({}));
  const markedSites = await db.run(selectMarkedSites({}));
  const failures: unknown[] = [];
  for (const [marked, deletions] of [
    [markedSites, ERASE_SITE],
    [removedAccounts, ERASE_ACCOUNT],
  ] as const) {
    for (const { id, accountId: owner } of marked) {
      if (accountId !== undefined && owner !== accountId) continue;
      try {
        for (const erase of deletions) await erase(db, id, pause);
        await pause();
      } catch (error) {
        if (error instanceof OutOfTime) throw error;
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw failures[0];
}
