import { timeAfter } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { addJob } from '../../queue/jobs.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { currentActor } from '../audit/actor.js';
import { insertAccountMail } from './account-mail-statements.js';

/** What somebody who is not signed in may ask for, by an address with or without an account. */
export type AskedMail = 'PASSWORD' | 'SIGN_UP';

export const ACCOUNT_MAIL = 'ACCOUNT_MAIL';

/** After the answer and not along with it: what there is to do depends on whether an account has the address. */
const SEND_AFTER_MS = 1000;

/** Has a mail sent to the address; what it says is found out when it is sent. */
export function addAskedMail(kind: AskedMail, email: string, now: Date): Transaction<void> {
  return addMail({ kind, email, account_id: null, address: currentActor().address }, now);
}

/** Tells the account's owner of a new password. */
export function addNewPasswordMail(accountId: string, now: Date): Transaction<void> {
  return addMail({ kind: 'PASSWORD_CHANGED', email: null, account_id: accountId, address: null }, now);
}

interface NewMail {
  readonly kind: AskedMail | 'PASSWORD_CHANGED';
  readonly email: string | null;
  readonly account_id: string | null;
  readonly address: string | null;
}

function* addMail(mail: NewMail, now: Date): Transaction<void> {
  const id = newId('msg');
  yield* execute(insertAccountMail({ id, ...mail, created_at: now.toISOString() }));
  yield* addJob(
    {
      ...{ queue: 'account-mails', kind: ACCOUNT_MAIL, key: id, accountId: mail.account_id, siteId: null },
      runAfter: timeAfter(now, SEND_AFTER_MS),
    },
    now,
  );
}
