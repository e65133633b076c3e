import { type Steps, workOff } from '../../queue/steps.js';
import { type Database, runOne } from '../../store/database.js';
import type { Account } from '../accounts/accounts.js';
import { type Kept, type MarkedSite, untilNone } from '../kept.js';
import {
  deleteMarkedSite,
  deleteRemovedAccount,
  markAccountRemoved,
  markSitesOfAccount,
  selectMarkedSite,
  selectNextMarkedSite,
  selectNextMarkedSiteOf,
  selectNextRemovedAccount,
} from './removal-statements.js';
import { markSite, type Site } from '../sites/site.js';
import { execute, one, type Transaction } from '../../store/transaction.js';

/**
 * What is removed goes in two parts. One transaction marks it: from then on it is gone for every reader, nothing of it starts or is sent,
 * and a run in flight writes nothing. Then its rows are erased in small steps, each in its own transaction: a site may have a hundred
 * thousand runs, and one statement over them would be cut off by PostgreSQL's time limit and hold the whole process up on SQLite.
 * The next sweep finds by the mark what a crash leaves half-done.
 */

/** Marks a site. @returns the site; undefined when it does not exist or is marked already */
export function* closeSite(features: readonly Kept[], id: string): Transaction<Site | undefined> {
  const site = yield* markSite(id);
  if (site) yield* closeMarkedSites(features, site.accountId);
  return site;
}

/** Marks an account with its sites. @returns whether it existed and was not marked yet */
export function* closeAccount(
  features: readonly Kept[],
  { id, email }: Pick<Account, 'id' | 'email'>,
  now: Date,
): Transaction<boolean> {
  if (!(yield* one(markAccountRemoved({ id, now: now.toISOString() })))) return false;
  yield* execute(markSitesOfAccount({ account_id: id }));
  yield* closeMarkedSites(features, id);
  for (const { closeAccount = [] } of features)
    for (const close of closeAccount) yield* execute(close({ account_id: id, email }));
  return true;
}

function* closeMarkedSites(features: readonly Kept[], account_id: string): Transaction<void> {
  for (const { closeSites = [] } of features) for (const close of closeSites) yield* execute(close({ account_id }));
}

/** Erases one marked site. */
export async function* eraseSite(db: Database, features: readonly Kept[], siteId: string): Steps {
  const site = await runOne(db, selectMarkedSite({ id: siteId }));
  if (site) yield* eraseMarkedSite(db, features, site);
}

/** Erases one marked account with its sites. */
export async function* eraseAccount(db: Database, features: readonly Kept[], account_id: string): Steps {
  // A site that was being added while the account was marked.
  await db.run(markSitesOfAccount({ account_id }));
  for (;;) {
    const site = await runOne(db, selectNextMarkedSiteOf({ account_id }));
    if (!site) break;
    yield* eraseMarkedSite(db, features, site);
  }
  for (const { eraseAccount: steps = [] } of features) {
    for (const deleteSome of steps) yield* untilNone(db, deleteSome({ account_id }));
  }
  await db.run(deleteRemovedAccount({ id: account_id }));
  yield;
}

export const ERASE_EVERY_MS = 10_000;

/** Erases all that is marked: what was not erased when it was removed. */
export async function* eraseLeftovers(db: Database, features: readonly Kept[]): Steps {
  for (;;) {
    const site = await runOne(db, selectNextMarkedSite({}));
    if (!site) break;
    yield* eraseMarkedSite(db, features, site);
  }
  for (;;) {
    const account = await runOne(db, selectNextRemovedAccount({}));
    if (!account) break;
    yield* eraseAccount(db, features, account.id);
  }
}

async function* eraseMarkedSite(db: Database, features: readonly Kept[], site: MarkedSite): Steps {
  for (const { eraseSite: erase } of features) if (erase) yield* erase(db, site);
  await db.run(deleteMarkedSite({ id: site.id }));
  yield;
}

/** How long a request waits for its removal to be erased. The next sweep does the rest. */
const PATIENCE_MS = 3000;

/** Erases as much as there is time for. Never rejects: what is marked is gone already, and what fails is made up for by the next sweep. */
export async function eraseNow(steps: Steps, forMs: number = PATIENCE_MS): Promise<void> {
  await workOff(steps, forMs).catch(() => undefined);
}
