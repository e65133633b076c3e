import { defineCleanup } from '../../store/cleanup.js';
import { defineQuery, deleteReturning } from '../../store/query.js';

/** Nothing where an account has the address: the statement is the same for one and for the other. */
export const insertSignUp = defineQuery<never, { digest: string; email: string; expires_at: string }>(
  (sql, { digest, email, expires_at }) =>
    sql.raw(
      `INSERT INTO sign_ups (digest, email, expires_at)
        SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text)
        WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?)`,
      [digest, email, expires_at, email],
    ),
);

/** Whose address the link confirms, while it is good. */
export const selectSignUp = defineQuery<{ email: string }, { digest: string; now: string }>((sql, { digest, now }) =>
  sql('sign_ups').select('email').where({ digest }).where('expires_at', '>', now),
);

/** Uses a good link up: a row for one caller, however many ask at the same time. */
export const takeSignUp = defineQuery<{ email: string }, { digest: string; now: string }>((sql, { digest, now }) =>
  deleteReturning(sql, sql('sign_ups').where({ digest }).where('expires_at', '>', now), 'email'),
);

/** The other links to the address. */
export const deleteSignUpsOf = defineQuery<never, { email: string }>((sql, { email }) =>
  sql('sign_ups').where({ email }).del(),
);

export const cleanUpSignUps = defineCleanup<{ now: string }>(
  'sign_ups',
  ['digest'],
  (rows, { now }) => rows.where('expires_at', '<=', now),
  (now) => ({ now: now.toISOString() }),
);
