import type { Plan } from '../domain/plan.js';
import { REFERENCE_MAX } from '../domain/run.js';
import { defineQuery } from './query.js';

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
  readonly created_at: string;
}

const COLUMNS = ['id', 'email', 'name', 'plan', 'created_at'];

export const insertAccount = defineQuery<
  never,
  { id: string; email: string; name: string; plan: string; created_at: string }
>((sql, { id, email, name, plan, created_at }) => sql('accounts').insert({ id, email, name, plan, created_at }));

/** In the order of their creation. */
export const selectAccounts = defineQuery<AccountRow>((sql) =>
  sql('accounts').select(COLUMNS).orderBy(['created_at', 'id']),
);

export const selectAccount = defineQuery<AccountRow, { id: string }>((sql, { id }) =>
  sql('accounts').select(COLUMNS).where({ id }),
);

export const selectAccountByEmail = defineQuery<AccountRow, { email: string }>((sql, { email }) =>
  sql('accounts').select(COLUMNS).where({ email }),
);

/** Holds off any other transaction that locks the account, until this one ends. */
export const lockAccount = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id').where({ id }).forUpdate(),
);

export const updatePlan = defineQuery<AccountRow, { id: string; plan: string }>((sql, { id, plan }) =>
  sql('accounts').where({ id }).update({ plan }).returning(COLUMNS),
);

/** The account's next run reference: 1 comes after 999999. */
export const takeReference = defineQuery<{ reference_counter: number }, { id: string }>((sql, { id }) =>
  sql('accounts')
    .where({ id })
    .update({ reference_counter: sql.raw(`reference_counter % ${REFERENCE_MAX} + 1`) })
    .returning('reference_counter'),
);
