import type { Database } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { type Account, accountLines, findAccount, noSuchAccount, parseAccountId } from '../accounts/accounts.js';
import { deliveryLines } from '../alerts/deliveries.js';
import { webhookLines } from '../alerts/webhooks.js';
import { eventLines, recordEvent } from '../audit/audit.js';
import { readHook } from '../automation/deploy-hooks.js';
import { readSchedule } from '../automation/schedules.js';
import { keyLines } from '../keys/keys.js';
import { runLines } from '../runs/run-export.js';
import { publishedToExport } from '../publications/publications.js';
import { describeSite, ownershipTokenLines, sitesToExport } from '../sites/site-export.js';
import { acceptedOf } from '../triage/accepted-failures.js';
import { rechecksOf } from '../triage/rechecks.js';
import { removeAccount, type RemovalContext } from './removal.js';

/** Counts of what an account has, without revoked keys. */
interface Counts {
  readonly sites: number;
  readonly runs: number;
  readonly keys: number;
  readonly webhooks: number;
}

export interface Holdings extends Counts {
  readonly account: Account;
}

const countHoldings = defineQuery<Counts, { account_id: string }>((sql, { account_id }) => {
  const ofAccount = (table: string) => sql(table).where({ account_id });
  const sites = () => ofAccount('sites').where({ is_deleting: 0 });
  return sql.select({
    sites: sites().count(),
    runs: sites().select(sql.raw('COALESCE(sum(run_counter), 0)')),
    keys: ofAccount('api_keys').whereNull('revoked_at').count(),
    webhooks: ofAccount('webhooks').count(),
  });
});

type Lines = (db: Database, accountId: string, now: Date) => AsyncIterable<object | string>;

/** Sources of an export's lines, in order. A line is an object, or a JSON text that begins with the type. */
const LINES: readonly (readonly [type: string, lines: Lines])[] = [
  ['account', accountLines],
  ['site', siteLines],
  ['key', keyLines],
  ['webhook', webhookLines],
  ['run', runLines],
  ['delivery', deliveryLines],
  ['event', eventLines],
  ['ownership_token', ownershipTokenLines],
];

async function* siteLines(db: Database, accountId: string): AsyncGenerator<object, void> {
  for await (const site of sitesToExport(db, accountId)) {
    yield {
      ...describeSite(site),
      schedule: await readSchedule(db, site.id),
      deployHook: await readHook(db, site.id),
      ...(await publishedToExport(db, site.id)),
      acceptedFailures: await acceptedOf(db, site.id),
      rechecks: await rechecksOf(db, site.id),
    };
  }
}

/** Exports and removes everything stored about an account. Methods reject with an InputError if there is no such account. */
export function createAccountData(context: RemovalContext) {
  const { db, clock } = context;
  return {
    /** Counts what a removal would delete. */
    async holdings(accountId: string): Promise<Holdings> {
      const account = await findAccount(db, accountId);
      const counts = await db.one(countHoldings({ account_id: account.id }));
      if (!counts) throw noSuchAccount();
      return { account, ...counts };
    },
    /** Resolves once everything is erased. The e-mail address is free for a new account at once. */
    remove: (accountId: string): Promise<Account> => removeAccount(context, accountId, Infinity),
    /** Waits a few seconds; the next sweep erases the rest. */
    removeOwn: (accountId: string): Promise<Account> => removeAccount(context, accountId),
    /**
     * Yields all data of the account as lines of JSON that end in `\n`, and reads it while the client downloads. Changes during the export may
     * be missing. Records an event before it starts.
     */
    async *exportAll(id: string): AsyncGenerator<string, void> {
      const { id: accountId } = await findAccount(db, parseAccountId(id));
      const now = clock.now();
      await db.transaction((tx) => recordEvent(tx, { accountId, event: 'data_exported', now }));
      for (const [type, lines] of LINES) {
        for await (const line of lines(db, accountId, now)) {
          yield typeof line === 'string' ? line : `${JSON.stringify({ type, ...line })}\n`;
        }
      }
    },
  };
}
