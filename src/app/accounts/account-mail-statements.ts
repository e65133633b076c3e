import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

export interface AccountMailRow {
  readonly kind: string;
  readonly email: string | null;
  readonly account_id: string | null;
  readonly address: string | null;
  readonly created_at: string;
  readonly noted_at: string | null;
}

export const insertAccountMail = defineQuery<
  never,
  {
    id: string;
    kind: string;
    email: string | null;
    account_id: string | null;
    address: string | null;
    created_at: string;
  }
>((sql, { id, kind, email, account_id, address, created_at }) =>
  sql('account_mails').insert({ id, kind, email, account_id, address, created_at }),
);

export const selectAccountMail = defineQuery<AccountMailRow, { id: string }>((sql, { id }) =>
  sql('account_mails').select('kind', 'email', 'account_id', 'address', 'created_at', 'noted_at').where({ id }),
);

/** It is told in the account's activity. */
export const noteAccountMail = defineQuery<never, { id: string; now: string }>((sql, { id, now }) =>
  sql('account_mails').where({ id }).update({ noted_at: now }),
);

export const deleteAccountMail = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('account_mails').where({ id }).del(),
);

/** Those to the address of an account: nobody had to be signed in to ask for them. */
export const deleteAccountMailsTo = defineQuery<never, { email: string }>((sql, { email }) =>
  sql('account_mails').where({ email }).del(),
);

/** For as long as no process sends mails: nobody waits for them any more. */
const WAITING_MS_MAX = 24 * 3_600_000;

export const cleanUpAccountMails = defineCleanup<{ before: string }>(
  'account_mails',
  ['id'],
  (rows, { before }) => rows.where('created_at', '<', before),
  (now) => ({ before: laterThan(now, -WAITING_MS_MAX) }),
);
