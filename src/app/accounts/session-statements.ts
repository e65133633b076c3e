import { laterThan } from '../../platform/clock.js';
import { defineCleanup } from '../../store/cleanup.js';
import { ACCOUNT_COLUMNS, type AccountRow } from './account-statements.js';
import { defineQuery, deleteReturning } from '../../store/query.js';

export const insertSession = defineQuery<
  never,
  {
    digest: string;
    account_id: string;
    created_at: string;
    expires_at: string;
    address: string | null;
    browser: string | null;
  }
>((sql, { digest, account_id, created_at, expires_at, address, browser }) =>
  sql('sessions').insert({ digest, account_id, created_at, last_seen_at: created_at, expires_at, address, browser }),
);

/** The account of a live session, and the times of the session. */
export const selectSession = defineQuery<
  AccountRow & { readonly started_at: string; readonly last_seen_at: string },
  { digest: string; now: string; idle_before: string }
>((sql, { digest, now, idle_before }) =>
  sql('sessions as s')
    .join('accounts as a', 'a.id', 's.account_id')
    .select([...ACCOUNT_COLUMNS.map((column) => `a.${column}`), 's.created_at as started_at', 's.last_seen_at'])
    .where({ 's.digest': digest })
    .where('s.expires_at', '>', now)
    .where('s.last_seen_at', '>', idle_before),
);

/** How many sessions of an account are listed. A script that signs in each time leaves thousands. */
export const SESSIONS_LISTED_MAX = 50;

/** The live sessions of the account, the last used first. */
export const selectSessionsOfAccount = defineQuery<
  {
    readonly digest: string;
    readonly created_at: string;
    readonly last_seen_at: string;
    readonly address: string | null;
    readonly browser: string | null;
  },
  { account_id: string; now: string; idle_before: string }
>((sql, { account_id, now, idle_before }) =>
  sql('sessions')
    .select('digest', 'created_at', 'last_seen_at', 'address', 'browser')
    .where({ account_id })
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idle_before)
    .orderBy([{ column: 'last_seen_at', order: 'desc' }, { column: 'created_at', order: 'desc' }, { column: 'digest' }])
    .limit(SESSIONS_LISTED_MAX),
);

export const touchSession = defineQuery<never, { digest: string; now: string }>(
  (sql, { digest, now }) => sql('sessions').where({ digest }).update({ last_seen_at: now }),
  { durability: 'process' },
);

/** A row when there was one. */
export const deleteSession = defineQuery<{ account_id: string }, { digest: string }>((sql, { digest }) =>
  deleteReturning(sql, sql('sessions').where({ digest }), 'account_id'),
);

export const deleteOtherSessions = defineQuery<never, { account_id: string; digest: string }>(
  (sql, { account_id, digest }) => sql('sessions').where({ account_id }).whereNot({ digest }).del(),
);

export const deleteSessionsOfAccount = defineQuery<never, { account_id: string }>((sql, { account_id }) =>
  sql('sessions').where({ account_id }).del(),
);

/** Without a request for this long, a session ends. */
export const SESSION_IDLE_MS = 7 * 86_400_000;

export const cleanUpSessions = defineCleanup<{ now: string; idle_before: string }>(
  'sessions',
  ['digest'],
  (rows, { now, idle_before }) => rows.where('expires_at', '<=', now).orWhere('last_seen_at', '<=', idle_before),
  (now) => ({ now: now.toISOString(), idle_before: laterThan(now, -SESSION_IDLE_MS) }),
);
