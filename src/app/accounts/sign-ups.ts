import type { Clock } from '../../platform/clock.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { digestSecretToken, isSecretToken } from '../../platform/secret-token.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, one } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { setPassword } from './account-statements.js';
import { addAccount, refuseTaken } from './accounts.js';
import type { HashNew } from './new-password.js';
import type { OpenedSession, Sessions } from './sessions.js';
import { deleteSignUpsOf, selectSignUp, takeSignUp } from './sign-up-statements.js';

/** A link that confirms an address, and what its holder chooses. */
export interface SignUpUse {
  readonly token: string;
  readonly password: string;
  readonly device?: string | undefined;
}

export interface SignUpsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly hashNew: HashNew;
}

/** Accounts that people make for themselves: there is none before the link that was mailed to the address is used. */
export function createSignUps({ db, clock, sessions, hashNew }: SignUpsDeps) {
  const find = async (token: string): Promise<string | null> => {
    if (!isSecretToken(token)) return null;
    const row = await runOne(db, selectSignUp({ digest: digestSecretToken(token), now: clock.now().toISOString() }));
    return row?.email ?? null;
  };
  return {
    /** The address that a link confirms, without using it; null when it is unknown, used or expired. */
    readSignUp: find,
    /**
     * Uses the link up, makes an account on the plan FREE, and opens its first session.
     * @throws InputError with field `password`; one without a field when the link is no longer good, or the address has an account by now;
     * TooSoonError
     */
    async signUp({ token, password, device }: SignUpUse): Promise<OpenedSession> {
      const email = await find(token);
      if (email === null) throw linkIsSpent();
      // As the operator's command names accounts that are given no name.
      const name = email;
      const password_hash = await hashNew(password, { email, name }, { token });
      const id = newId('acc');
      const open = sessions.open(id, device, function* () {
        const now = clock.now();
        const row = { id, email, name, plan: 'FREE' as const, created_at: now.toISOString() };
        if (!(yield* one(takeSignUp({ digest: digestSecretToken(token), now: row.created_at })))) throw linkIsSpent();
        yield* execute(deleteSignUpsOf({ email }));
        yield* addAccount(row, now);
        yield* execute(setPassword({ id, password_hash }));
        yield* recordEvent({ accountId: id, event: 'signed_in', subject: 'one-time link', now });
        yield* recordEvent({ accountId: id, event: 'password_changed', now });
      });
      return open.catch(refuseTaken);
    },
  };
}

function linkIsSpent(): InputError {
  return new InputError('This link is no longer good: it works once, within an hour. Ask for another.');
}
