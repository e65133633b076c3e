import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging.js';
import { currentActor } from '../audit/actor.js';
import { countHoldings } from './holdings-statements.js';
import type { Database } from '../../store/database.js';
import type { Transaction } from '../../store/transaction.js';
import { exportLines } from './account-export.js';
import type { Kept } from '../kept.js';
import { type Account, findAccount, noSuchAccount, parseAccountId, readAccount } from '../accounts/accounts.js';
import { closeAccount, eraseAccount, eraseNow } from './erasure.js';

/** How much hangs on an account. */
export interface Holdings {
  readonly account: Account;
  readonly sites: number;
  readonly runs: number;
  /** Those that are not revoked. */
  readonly keys: number;
  readonly webhooks: number;
}

/** All that is stored of an account, to be taken along or removed. Every method rejects with an InputError when there is no such account. */
export interface AccountData {
  /** How much would go with it. */
  holdings(accountId: string): Promise<Holdings>;
  /**
   * Removes the account for good, with its sites, their runs, keys, sessions, webhooks and everything else, and waits until
   * all of it is erased. The e-mail address is free for a new account at once.
   *
   * What stays identifies no one: limits are counted by digests, which expire within the day, free scans belong to hosts, and
   * ids, which are random, never come back.
   */
  remove(accountId: string): Promise<Account>;
  /** The same, for the holder of the account: it is gone at once, and what takes long to erase is left to the next sweep. */
  removeOwn(accountId: string): Promise<Account>;
  /** Everything as lines of JSON, each with its `\n`, read as they are asked for. */
  exportAll(accountId: string): AsyncIterable<string>;
}

export interface AccountDataDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly features: readonly Kept[];
  /** Hears of each account that is removed: nothing else tells of it afterwards. */
  readonly logger?: Logger;
}

export function createAccountData({ db, clock, features, logger }: AccountDataDeps): AccountData {
  const mark = async (accountId: string): Promise<Account> => {
    const id = parseAccountId(accountId);
    const account = await db.transaction(() => removeAccount(features, id, clock.now()));
    logger?.info({ accountId: id, by: currentActor().actor }, 'an account was removed');
    return account;
  };
  return {
    async holdings(accountId) {
      const id = parseAccountId(accountId);
      const account = await findAccount(db, id);
      const [counts] = await db.run(countHoldings({ account_id: id }));
      if (!counts) throw noSuchAccount();
      return { account, ...counts };
    },
    async remove(accountId) {
      const account = await mark(accountId);
      await eraseNow(eraseAccount(db, features, account.id), Infinity);
      return account;
    },
    async removeOwn(accountId) {
      const account = await mark(accountId);
      await eraseNow(eraseAccount(db, features, account.id));
      return account;
    },
    async *exportAll(accountId) {
      yield* exportLines({ db, clock, features }, parseAccountId(accountId));
    },
  };
}

function* removeAccount(features: readonly Kept[], id: string, now: Date): Transaction<Account> {
  const account = yield* readAccount(id);
  if (!(yield* closeAccount(features, id, now))) throw noSuchAccount();
  return account;
}
