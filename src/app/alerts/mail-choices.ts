import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { holdAccount, noSuchAccount, parseAccountId } from '../accounts/accounts.js';
import { recordEvent } from '../audit/audit.js';
import { siteIdsOf } from '../sites/site.js';
import { selectEmailAlerts, updateEmailAlerts } from './alert-state-statements.js';
import { DIGEST_SITES_MIN, nextDigestTime } from './digest-planner.js';
import { deleteDigest, insertDigest, selectDigest } from './digest-statements.js';

export interface MailChoicesDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
}

/** @throws InputError where the operator has configured no mail server */
export function assertMail(hasMail: boolean): void {
  if (!hasMail) throw new InputError('This service has no mail server, so it cannot send e-mail.');
}

/** What goes to an account's e-mail address: each alert, and a digest a week. */
export function createMailChoices({ db, clock, hasMail }: MailChoicesDeps) {
  return {
    /** Whether alerts go to the account's e-mail address; null where the operator has configured no mail server. */
    async emailAlerts(accountId: string): Promise<boolean | null> {
      if (!hasMail) return null;
      const row = await runOne(db, selectEmailAlerts({ id: parseAccountId(accountId) }));
      if (!row) throw noSuchAccount();
      return row.email_alerts_since !== null;
    },
    /** @throws InputError where the operator has configured no mail server */
    async setEmailAlerts(accountId: string, isOn: boolean): Promise<void> {
      if (isOn) assertMail(hasMail);
      const since = isOn ? clock.now().toISOString() : null;
      const id = parseAccountId(accountId);
      await db.transaction(() => turnEmailAlerts(id, since, clock.now()));
    },
    /** When the next digest is due (ISO 8601, UTC); null: it is off. */
    async nextDigest(accountId: string): Promise<string | null> {
      return (await runOne(db, selectDigest({ account_id: parseAccountId(accountId) })))?.next_at ?? null;
    },
    /** @throws InputError where the operator has configured no mail server, or the account has too few sites */
    async setDigest(accountId: string, isOn: boolean): Promise<void> {
      if (isOn) assertMail(hasMail);
      const id = parseAccountId(accountId);
      await db.transaction(() => turnDigest(id, isOn, clock.now()));
    },
  };
}

/** Alerts that are on already, or off, are not events. */
function* turnEmailAlerts(id: string, since: string | null, now: Date): Transaction<void> {
  const before = yield* one(selectEmailAlerts({ id }));
  yield* execute(updateEmailAlerts({ id, since }));
  const isOn = since !== null;
  if (!before || (before.email_alerts_since !== null) === isOn) return;
  const event = isOn ? 'email_alerts_turned_on' : 'email_alerts_turned_off';
  yield* recordEvent({ accountId: id, event, now });
}

/** The same of the digest: one that is on already stays as it was. The account is not removed meanwhile. @throws InputError */
function* turnDigest(account_id: string, isOn: boolean, now: Date): Transaction<void> {
  if (isOn) {
    yield* holdAccount(account_id);
    const sites = yield* siteIdsOf(account_id);
    if (sites.length < DIGEST_SITES_MIN) {
      throw new InputError(`The weekly digest is for accounts with ${DIGEST_SITES_MIN} sites or more.`);
    }
  }
  const row = { account_id, since: now.toISOString(), next_at: nextDigestTime(account_id, now).toISOString() };
  const changed = yield* one(isOn ? insertDigest(row) : deleteDigest({ account_id }));
  if (!changed) return;
  yield* recordEvent({ accountId: account_id, event: isOn ? 'digest_turned_on' : 'digest_turned_off', now });
}
