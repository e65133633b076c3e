import { type Clock, laterThan } from '../../platform/clock.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import { type Database, runOne } from '../../store/database.js';
import {
  cleanUpSessions,
  deleteSession,
  deleteSessionsOfAccount,
  insertSession,
  selectSession,
  SESSION_IDLE_MS,
  touchSession,
} from './session-statements.js';
import { execute, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { type Account, accountOf } from './accounts.js';

/** A person who is signed in. */
export interface Session {
  readonly account: Account;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

/** A session that was just opened. `token` is the cookie's value; only its digest is stored. */
export interface OpenedSession {
  readonly token: string;
  /** ISO 8601, UTC: the absolute end. An idle session ends earlier. */
  readonly expiresAt: string;
}

export interface Sessions {
  /** Opens a session in one transaction with `before`, which may refuse it by throwing. */
  open(accountId: string, before: () => Transaction<void>): Promise<OpenedSession>;
  /** The live session of this token, kept awake, or null. */
  authenticate(token: string): Promise<Session | null>;
  end(token: string): Promise<void>;
  endAll(accountId: string): Promise<void>;
}

export const SESSION_LIFE_MS = 30 * 86_400_000;

/** How often the time at which a session was last seen is written: a read of a page hardly ever writes. */
const TOUCH_EVERY_MS = 5 * 60_000;

export function createSessions({ db, clock }: { readonly db: Database; readonly clock: Clock }): Sessions {
  return {
    async open(account_id, before) {
      const token = newSecretToken();
      const now = clock.now();
      const times = { created_at: now.toISOString(), expires_at: laterThan(now, SESSION_LIFE_MS) };
      await db.transaction(function* () {
        yield* before();
        yield* execute(insertSession({ digest: digestSecretToken(token), account_id, ...times }));
      });
      await db.run(cleanUpSessions(now)).catch(ignore);
      return { token, expiresAt: times.expires_at };
    },
    async authenticate(token) {
      if (!isSecretToken(token)) return null;
      const digest = digestSecretToken(token);
      const now = clock.now();
      const row = await runOne(
        db,
        selectSession({ digest, now: now.toISOString(), idle_before: laterThan(now, -SESSION_IDLE_MS) }),
      );
      if (!row) return null;
      if (row.last_seen_at < laterThan(now, -TOUCH_EVERY_MS)) {
        await db.run(touchSession({ digest, now: now.toISOString() })).catch(ignore);
      }
      return { account: accountOf(row), startedAt: row.started_at };
    },
    async end(token) {
      await db.run(deleteSession({ digest: digestSecretToken(token) }));
    },
    async endAll(accountId) {
      await db.transaction(function* () {
        yield* execute(deleteSessionsOfAccount({ account_id: accountId }));
        yield* recordEvent({ accountId, event: 'signed_out_everywhere', now: clock.now() });
      });
    },
  };
}

/** Upkeep that fails is made up for the next time; what the person asked for has been done. */
function ignore(): void {
  return;
}
