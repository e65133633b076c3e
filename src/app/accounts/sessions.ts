import { hash } from 'node:crypto';
import { DAY_MS, isoTimeAfter } from '../../platform/clock.js';
import { networkOf } from '../../platform/http/request.js';
import { InputError } from '../../platform/errors.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/ids.js';
import type { Tx } from '../../store/database.js';
import { defineQuery, isPostgres, type Row, table } from '../../store/query.js';
import { type AuditEventName, currentActor, recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import type { Account, AccountRow } from './accounts.js';
import type { Passwords } from './passwords.js';

export interface Session {
  readonly account: Account;
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A session in the list of its account. Times are ISO 8601, UTC. */
export interface ListedSession {
  /** Identifies the session on pages. Reveals neither the token nor the stored digest. */
  readonly id: string;
  readonly startedAt: string;
  /** Rounded to five minutes. */
  readonly lastSeenAt: string;
  /** IP address that opened the session; null if unknown. */
  readonly address: string | null;
  /** Such as `Firefox on Linux`; null if unknown. */
  readonly browser: string | null;
}

/** A new session. `token` is the cookie's value; only its digest is stored. */
export interface OpenedSession {
  readonly token: string;
  /** ISO 8601, UTC. An idle session ends earlier. */
  readonly expiresAt: string;
}

export const SESSION_LIFE_MS = 30 * DAY_MS;

/** A session ends after this long without a request. */
export const SESSION_IDLE_MS = 7 * DAY_MS;

/** Minimum time between two updates of `last_seen_at`, so that most page views do not write to the database. */
const TOUCH_EVERY_MS = 5 * 60_000;

/** A script that signs in for each request leaves thousands of sessions. */
export const SESSIONS_LISTED_MAX = 50;

/** 80 bits, enough to avoid collisions within an account. */
const ID_CHARS = 20;

const sessions = table('sessions');

const selectSession = defineQuery<
  Account & { readonly startedAt: string; readonly lastSeenAt: string },
  { digest: string; now: string; idle_before: string }
>((sql, { digest, now, idle_before }) =>
  sql('sessions as s')
    .join('accounts as a', 'a.id', 's.account_id')
    .select('a.id', 'a.email', 'a.name', 'a.plan', 'a.created_at as createdAt')
    .select('s.created_at as startedAt', 's.last_seen_at as lastSeenAt')
    .where({ 's.digest': digest })
    .where('s.expires_at', '>', now)
    .where('s.last_seen_at', '>', idle_before),
);

const selectSessionsOfAccount = defineQuery<
  Omit<ListedSession, 'id'> & { readonly digest: string },
  { account_id: string; now: string; idle_before: string }
>((sql, { account_id, now, idle_before }) =>
  sql('sessions')
    .select('digest', 'created_at as startedAt', 'last_seen_at as lastSeenAt', 'address', 'browser')
    .where({ account_id })
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idle_before)
    .orderBy([{ column: 'last_seen_at', order: 'desc' }, { column: 'created_at', order: 'desc' }, { column: 'digest' }])
    .limit(SESSIONS_LISTED_MAX),
);

const touchSession = defineQuery<never, { digest: string; now: string }>(
  (sql, { digest, now }) => sql('sessions').where({ digest }).update({ last_seen_at: now }),
  { durability: 'process' },
);

/** @param digest the session that stays open */
const deleteOtherSessions = defineQuery<never, { account_id: string; digest: string }>((sql, { account_id, digest }) =>
  sql('sessions').where({ account_id }).whereNot({ digest }).del(),
);

function liveSessionParams(now: Date) {
  return { now: now.toISOString(), idle_before: isoTimeAfter(now, -SESSION_IDLE_MS) };
}

/** Inserts a session and locks its account. Inserts nothing if the account was removed or its password has changed. */
const insertSession = defineQuery<
  { digest: string },
  Omit<Row<'sessions'>, 'last_seen_at'> & { password_hash: string | null }
>((sql, { digest, account_id, created_at, expires_at, address, browser, password_hash }) =>
  sql.raw(
    `INSERT INTO sessions (digest, account_id, created_at, last_seen_at, expires_at, address, browser)
        SELECT CAST(? AS text), id, CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text)
        FROM accounts WHERE id = ? AND removed_at IS NULL AND password_hash IS NOT DISTINCT FROM CAST(? AS text)
        ${isPostgres(sql) ? 'FOR UPDATE' : ''} RETURNING digest`,
    [digest, created_at, created_at, expires_at, address, browser, account_id, password_hash],
  ),
);

/**
 * Opens a session, unless the password has changed since it was checked.
 * @param signedInBy subject of the `signed_in` event; if omitted, no event is recorded
 * @throws InputError whose message does not reveal whether the account exists
 */
export async function openSession(
  tx: Tx,
  { id: account_id, password_hash }: Pick<AccountRow, 'id' | 'password_hash'>,
  now: Date,
  signedInBy?: 'password' | 'one-time link',
): Promise<OpenedSession> {
  const token = newSecretToken();
  const expiresAt = isoTimeAfter(now, SESSION_LIFE_MS);
  const { address, userAgent = '' } = currentActor();
  const times = { created_at: now.toISOString(), expires_at: expiresAt };
  const session = { digest: digestSecretToken(token), account_id, ...times, address, browser: nameBrowser(userAgent) };
  if (!(await tx.one(insertSession({ ...session, password_hash })))) throw wrongCredentials();
  if (signedInBy) await recordEvent(tx, { accountId: account_id, event: 'signed_in', subject: signedInBy, now });
  return { token, expiresAt };
}

export function wrongCredentials(): InputError {
  return new InputError('The e-mail address or the password is wrong.');
}

/** Ends every session of the account, except the one with this token. */
export async function endSessions(tx: Tx, account_id: string, token = ''): Promise<void> {
  await tx.run(deleteOtherSessions({ account_id, digest: digestSecretToken(token) }));
}

interface SessionsContext extends Pick<Context, 'db' | 'clock'> {
  readonly passwords: Passwords;
}

export function createSessions({ db, clock, passwords }: SessionsContext) {
  const readSessions = (account_id: string) =>
    db.run(selectSessionsOfAccount({ account_id, ...liveSessionParams(clock.now()) }));
  const signOutAll = (accountId: string, event: AuditEventName, except?: string): Promise<void> =>
    db.transaction(async (tx) => {
      await endSessions(tx, accountId, except);
      await recordEvent(tx, { accountId, event, now: clock.now() });
    });
  return {
    /**
     * Returns the live session with this token, or null. Updates `last_seen_at`.
     * @param clientAddress its network gets priority when passwords are checked
     */
    async authenticate(token: string, clientAddress?: string): Promise<Session | null> {
      if (!isSecretToken(token)) return null;
      const digest = digestSecretToken(token);
      const now = clock.now();
      const row = await db.one(selectSession({ digest, ...liveSessionParams(now) }));
      if (!row) return null;
      const { startedAt, lastSeenAt, ...account } = row;
      // A failure does not matter, because the next request tries again.
      if (lastSeenAt < isoTimeAfter(now, -TOUCH_EVERY_MS))
        await db.run(touchSession({ digest, now: now.toISOString() })).catch(() => undefined);
      if (clientAddress !== undefined) passwords.prefer(networkOf(clientAddress));
      return { account, id: toPublicId(digest), startedAt };
    },
    async signOut(token: string): Promise<void> {
      await db.transaction((tx) => endSession(tx, digestSecretToken(token), null, clock.now()));
    },
    /** Returns at most {@link SESSIONS_LISTED_MAX} live sessions, last used first. */
    listSessions: async (accountId: string): Promise<ListedSession[]> =>
      (await readSessions(accountId)).map(({ digest, ...session }) => ({ id: toPublicId(digest), ...session })),
    /** Ends a listed session. Returns false if there is no such session. */
    async signOutSession({ accountId, sessionId }: { accountId: string; sessionId: string }): Promise<boolean> {
      const session = (await readSessions(accountId)).find(({ digest }) => toPublicId(digest) === sessionId);
      if (!session) return false;
      const { digest, address, browser } = session;
      const subject = address === null ? 'another session' : `${browser ?? 'session'} from ${address}`;
      return db.transaction((tx) => endSession(tx, digest, subject, clock.now()));
    },
    signOutOthers: ({ accountId, token }: { accountId: string; token: string }): Promise<void> =>
      signOutAll(accountId, 'signed_out_elsewhere', token),
    signOutEverywhere: (accountId: string): Promise<void> => signOutAll(accountId, 'signed_out_everywhere'),
  };
}

async function endSession(tx: Tx, digest: string, subject: string | null, now: Date): Promise<boolean> {
  const ended = await tx.one(sessions.delete({ digest }));
  if (ended) await recordEvent(tx, { accountId: ended.account_id, event: 'signed_out', subject, now });
  return ended !== undefined;
}

function toPublicId(digest: string): string {
  return hash('sha256', `session ${digest}`, 'hex').slice(0, ID_CHARS);
}

/** The first match wins: Chrome's User-Agent also contains `Safari`, and Edge's also contains `Chrome`. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]{1,20} (?:Mobile\/\w{1,20} )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** Twice the length of real User-Agent headers. */
const USER_AGENT_CHARS_MAX = 400;

/** Returns a browser's name, such as `Firefox on Linux`; null if unknown. */
export function nameBrowser(userAgent: string): string | null {
  const read = userAgent.slice(0, USER_AGENT_CHARS_MAX);
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(read))?.[1]);
  if (browser === undefined) return system === undefined ? null : `A program on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
