import type { Plan } from './plan.js';
import { defineQuery } from '../../store/query.js';

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
  readonly created_at: string;
}

/** An account with what its password is compared with; null until a first sign-in link has set one. */
export interface CredentialsRow extends AccountRow {
  readonly password_hash: string | null;
}

export const ACCOUNT_COLUMNS = ['id', 'email', 'name', 'plan', 'created_at'];

export const insertAccount = defineQuery<
  never,
  { id: string; email: string; name: string; plan: string; created_at: string }
>((sql, { id, email, name, plan, created_at }) => sql('accounts').insert({ id, email, name, plan, created_at }));

/** In the order of their creation. */
export const selectAccounts = defineQuery<AccountRow>((sql) =>
  sql('accounts').select(ACCOUNT_COLUMNS).whereNull('removed_at').orderBy(['created_at', 'id']),
);

export const selectAccount = defineQuery<AccountRow, { id: string }>((sql, { id }) =>
  sql('accounts').select(ACCOUNT_COLUMNS).where({ id }).whereNull('removed_at'),
);

export const selectAccountToExport = defineQuery<
  {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly plan: string;
    readonly created_at: string;
    readonly email_alerts_since: string | null;
  },
  { id: string }
>((sql, { id }) =>
  sql('accounts')
    .select('id', 'email', 'name', 'plan', 'created_at', 'email_alerts_since')
    .where({ id })
    .whereNull('removed_at'),
);

/** As {@link selectAccount}, and the account cannot be removed until the transaction ends. */
export const selectAccountToAddTo = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id').where({ id }).whereNull('removed_at').forKeyShare(),
);

export const selectAccountByEmail = defineQuery<AccountRow, { email: string }>((sql, { email }) =>
  sql('accounts').select(ACCOUNT_COLUMNS).where({ email }),
);

export const selectCredentials = defineQuery<CredentialsRow, { id: string }>((sql, { id }) =>
  sql('accounts')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where({ id })
    .whereNull('removed_at'),
);

export const selectCredentialsByEmail = defineQuery<CredentialsRow, { email: string }>((sql, { email }) =>
  sql('accounts')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where({ email }),
);

/** Locks the account until the transaction ends, where its password is still the one that was compared. */
export const lockAccountOfPassword = defineQuery<{ id: string }, { id: string; password_hash: string }>(
  (sql, { id, password_hash }) => sql('accounts').select('id').where({ id, password_hash }).forUpdate(),
);

/** The same where it still has none. */
export const lockAccountWithoutPassword = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id').where({ id }).whereNull('password_hash').whereNull('removed_at').forUpdate(),
);

export const setPassword = defineQuery<never, { id: string; password_hash: string }>((sql, { id, password_hash }) =>
  sql('accounts').where({ id }).update({ password_hash }),
);

/** The same password hashed again, unless it was changed meanwhile. */
export const rehashPassword = defineQuery<never, { id: string; before: string; after: string }>(
  (sql, { id, before, after }) => sql('accounts').where({ id, password_hash: before }).update({ password_hash: after }),
);

/** Holds off any other transaction that locks the account, until this one ends. */
export const lockAccount = defineQuery<{ id: string; plan: Plan }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id', 'plan').where({ id }).whereNull('removed_at').forUpdate(),
);

export const updatePlan = defineQuery<AccountRow, { id: string; plan: string }>((sql, { id, plan }) =>
  sql('accounts').where({ id }).whereNull('removed_at').update({ plan }).returning(ACCOUNT_COLUMNS),
);

/** Largest value of an account's reference counter; 1 comes after it. */
const REFERENCE_MAX = 999_999;

/** No row: the site was removed. */
export const takeReference = defineQuery<{ reference_counter: number }, { site_id: string }>((sql, { site_id }) =>
  sql('accounts')
    .where({ id: sql('sites').select('account_id').where({ id: site_id, is_deleting: 0 }) })
    .update({ reference_counter: sql.raw(`reference_counter % ${REFERENCE_MAX} + 1`) })
    .returning('reference_counter'),
);
