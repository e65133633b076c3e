import { hash } from 'node:crypto';
import { type Clock, laterThan } from '../../platform/clock.js';
import { nameBrowser } from '../../platform/browser-name.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import {
  deleteDevicesOfAccount,
  deleteOtherDevices,
  DEVICE_KNOWN_MS,
  insertDevice,
  touchDevice,
} from './device-statements.js';
import { type Database, runOne } from '../../store/database.js';
import {
  cleanUpSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionsOfAccount,
  insertSession,
  selectSession,
  selectSessionsOfAccount,
  SESSION_IDLE_MS,
  touchSession,
} from './session-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { currentActor } from '../audit/actor.js';
import { recordEvent } from '../audit/audit.js';
import { type Account, accountOf } from './accounts.js';

/** A person who is signed in. */
export interface Session {
  readonly account: Account;
  /** What the pages call it: see {@link ListedSession}. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A session in the list of its account. Times are ISO 8601, UTC. */
export interface ListedSession {
  /** Tells it from the others. It leads neither to the token nor to the digest that is stored. */
  readonly id: string;
  readonly startedAt: string;
  /** To five minutes. */
  readonly lastSeenAt: string;
  /** Where it was opened: an IP address; null where none is known. */
  readonly address: string | null;
  /** What it was opened with, such as `Firefox on Linux`; null where that is not known. */
  readonly browser: string | null;
}

/** A session that was just opened. `token` is the cookie's value; only its digest is stored. */
export interface OpenedSession {
  readonly token: string;
  /** ISO 8601, UTC: the absolute end. An idle session ends earlier. */
  readonly expiresAt: string;
  /** What the device is known by from now on: the token that it came with, or a new one. */
  readonly device: { readonly token: string; readonly expiresAt: string };
}

export interface SessionOfAccount {
  readonly accountId: string;
  readonly sessionId: string;
}

/** The session that stays, and the device that stays known, each by its token. */
export interface KeptSession {
  readonly accountId: string;
  readonly token: string;
  readonly device: string | undefined;
}

export const SESSION_LIFE_MS = 30 * 86_400_000;

/** How often the time at which a session was last seen is written: a read of a page hardly ever writes. */
const TOUCH_EVERY_MS = 5 * 60_000;

/** Of 80 bits, by which no two sessions of an account are mistaken for each other. */
const ID_CHARS = 20;

function idOf(digest: string): string {
  return hash('sha256', `session ${digest}`, 'hex').slice(0, ID_CHARS);
}

interface SessionsDeps {
  readonly db: Database;
  readonly clock: Clock;
}

export function createSessions({ db, clock }: SessionsDeps) {
  return {
    /**
     * Opens a session in one transaction with `before`, which may refuse it by throwing.
     * @param known the token by which the device may be known
     */
    async open(account_id: string, known: string | undefined, before: () => Transaction<void>): Promise<OpenedSession> {
      const token = newSecretToken();
      const now = clock.now();
      const times = { created_at: now.toISOString(), expires_at: laterThan(now, SESSION_LIFE_MS) };
      const device = await db.transaction(function* () {
        yield* before();
        const { address, userAgent = '' } = currentActor();
        const browser = nameBrowser(userAgent);
        yield* execute(insertSession({ digest: digestSecretToken(token), account_id, ...times, address, browser }));
        return yield* rememberDevice(account_id, known, times.created_at);
      });
      await db.run(cleanUpSessions(now)).catch(ignore);
      return {
        token,
        expiresAt: times.expires_at,
        device: { token: device, expiresAt: laterThan(now, DEVICE_KNOWN_MS) },
      };
    },
    /** The live session of this token, kept awake, or null. */
    async authenticate(token: string): Promise<Session | null> {
      if (!isSecretToken(token)) return null;
      const digest = digestSecretToken(token);
      const now = clock.now();
      const row = await runOne(db, selectSession({ digest, ...liveAt(now) }));
      if (!row) return null;
      if (row.last_seen_at < laterThan(now, -TOUCH_EVERY_MS)) {
        await db.run(touchSession({ digest, now: now.toISOString() })).catch(ignore);
      }
      return { account: accountOf(row), id: idOf(digest), startedAt: row.started_at };
    },
    async end(token: string): Promise<void> {
      await db.transaction(() => endSession(digestSecretToken(token), clock.now()));
    },
    ...createSessionList({ db, clock }),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** What says whether a session is live. */
function liveAt(now: Date) {
  return { now: now.toISOString(), idle_before: laterThan(now, -SESSION_IDLE_MS) };
}

/** The sessions of an account, and how they end. */
function createSessionList({ db, clock }: SessionsDeps) {
  const readLive = async (account_id: string) => {
    const rows = await db.run(selectSessionsOfAccount({ account_id, ...liveAt(clock.now()) }));
    return rows.map(({ digest, created_at: startedAt, last_seen_at: lastSeenAt, address, browser }) => ({
      ...{ digest, listed: { id: idOf(digest), startedAt, lastSeenAt, address, browser } satisfies ListedSession },
    }));
  };
  return {
    /** The live ones that were used last, at most {@link SESSIONS_LISTED_MAX}, the last used first. */
    list: async (accountId: string) => (await readLive(accountId)).map(({ listed }) => listed),
    /** Ends one of these sessions; false when it is none of them. */
    async endOne({ accountId, sessionId }: SessionOfAccount): Promise<boolean> {
      const found = (await readLive(accountId)).find(({ listed }) => listed.id === sessionId);
      if (!found) return false;
      const { digest, listed } = found;
      const name = listed.browser ?? 'session';
      const subject = listed.address === null ? 'another session' : `${name} from ${listed.address}`;
      return db.transaction(() => endSession(digest, clock.now(), subject));
    },
    /** Ends every session but one. */
    async endOthers({ accountId, token, device }: KeptSession): Promise<void> {
      await db.transaction(function* () {
        yield* execute(deleteOtherSessions({ account_id: accountId, digest: digestSecretToken(token) }));
        yield* execute(deleteOtherDevices({ account_id: accountId, digest: digestSecretToken(device ?? '') }));
        yield* recordEvent({ accountId, event: 'signed_out_elsewhere', now: clock.now() });
      });
    },
    async endAll(accountId: string): Promise<void> {
      await db.transaction(function* () {
        yield* endSessions(accountId);
        yield* recordEvent({ accountId, event: 'signed_out_everywhere', now: clock.now() });
      });
    },
  };
}

/** @returns whether there was one */
function* endSession(digest: string, now: Date, subject: string | null = null): Transaction<boolean> {
  const ended = yield* one(deleteSession({ digest }));
  if (ended) yield* recordEvent({ accountId: ended.account_id, event: 'signed_out', subject, now });
  return ended !== undefined;
}

/** Ends every session, and makes every device a stranger. */
export function* endSessions(account_id: string): Transaction<void> {
  yield* execute(deleteSessionsOfAccount({ account_id }));
  yield* execute(deleteDevicesOfAccount({ account_id }));
}

/** @returns the device's token */
function* rememberDevice(account_id: string, known: string | undefined, now: string): Transaction<string> {
  if (known !== undefined && isSecretToken(known)) {
    if (yield* one(touchDevice({ digest: digestSecretToken(known), account_id, now }))) return known;
  }
  const token = newSecretToken();
  yield* execute(insertDevice({ digest: digestSecretToken(token), account_id, now }));
  return token;
}

/** Upkeep that fails is made up for the next time; what the person asked for has been done. */
function ignore(): void {
  return;
}
