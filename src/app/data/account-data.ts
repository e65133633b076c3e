import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging.js';
import { currentActor } from '../audit/actor.js';
import { countHoldings } from './holdings-statements.js';
import type { Database } from '../../store/database.js';
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
  /** Of its sites. */
  readonly schedules: number;
  readonly hooks: number;
  readonly reports: number;
  readonly badges: number;
}

export interface AccountDataDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly features: readonly Kept[];
  /** Hears of each account that is removed: nothing else tells of it afterwards. */
  readonly logger?: Logger;
}

/** All that is stored of an account, to be taken along or removed. Every method rejects with an InputError when there is no such account. */
export class AccountData {
  constructor(private readonly deps: AccountDataDeps) {}

  /** How much would go with it. */
  async holdings(accountId: string): Promise<Holdings> {
    const { db } = this.deps;
    const account = await findAccount(db, accountId);
    const [counts] = await db.run(countHoldings({ account_id: account.id }));
    if (!counts) throw noSuchAccount();
    return { account, ...counts };
  }

  /**
   * Removes the account for good, with its sites, their runs, keys, sessions, webhooks and everything else, and waits until
   * all of it is erased. The e-mail address is free for a new account at once.
   *
   * What stays identifies no one: limits are counted by digests, which expire within the day, free scans belong to hosts, and
   * ids, which are random, never come back.
   */
  remove(accountId: string): Promise<Account> {
    return this.#remove(accountId, Infinity);
  }

  /** The same, for the holder of the account: it is gone at once, and what takes long to erase is left to the next sweep. */
  removeOwn(accountId: string): Promise<Account> {
    return this.#remove(accountId);
  }

  /** Everything as lines of JSON, each with its `\n`, read as they are asked for. */
  async *exportAll(accountId: string): AsyncGenerator<string, void> {
    yield* exportLines(this.deps, parseAccountId(accountId));
  }

  async #remove(accountId: string, eraseForMs?: number): Promise<Account> {
    const { db, clock, features, logger } = this.deps;
    const account = await db.transaction(function* () {
      const found = yield* readAccount(accountId);
      if (!(yield* closeAccount(features, found, clock.now()))) throw noSuchAccount();
      return found;
    });
    logger?.info({ accountId: account.id, by: currentActor().actor }, 'account removed');
    await eraseNow(eraseAccount(db, features, account.id), eraseForMs);
    return account;
  }
}
