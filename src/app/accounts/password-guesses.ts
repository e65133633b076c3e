import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import { type Database, runOne } from '../../store/database.js';
import { recordWrongPassword } from '../audit/audit.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { type CredentialsRow, selectCredentialsByEmail } from './account-statements.js';
import { parseEmail } from './email.js';
import type { Passwords } from './passwords.js';
import { createSignInThrottle } from './sign-in-throttle.js';

/** An account whose password was given, with the stored hash that it was compared with. */
export interface RightPassword {
  readonly id: string;
  readonly stored: string;
}

/** Compares passwords that people give: throttled, and with a note in the account where they are wrong. */
export interface PasswordGuesses {
  /** @throws InputError, the same and after the same time for a wrong password and for no account; TooSoonError */
  ofEmail(guess: {
    readonly email: string;
    readonly password: string;
    readonly clientAddress: string;
  }): Promise<RightPassword>;
  /** Asks the signed-in person again. @throws InputError with field `current`; TooSoonError */
  ofSignedIn(
    account: CredentialsRow,
    guess: { readonly current: string; readonly clientAddress: string },
  ): Promise<RightPassword>;
  /** Resolves when the wrong passwords so far are recorded. */
  settle(): Promise<void>;
}

export interface PasswordGuessesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly passwords: Passwords;
}

export function createPasswordGuesses({ db, clock, limits, passwords }: PasswordGuessesDeps): PasswordGuesses {
  const throttle = createSignInThrottle(limits);
  const notes = new Set<Promise<void>>();

  /** Beside the answer, which comes as soon for an account as for none. */
  const noteWrong = ({ id }: CredentialsRow): void => {
    const note = recordWrongPassword(db, id, clock.now())
      .catch(() => undefined)
      .finally(() => notes.delete(note));
    notes.add(note);
  };

  /** Null, after the same time, for a wrong password or no account. */
  const compare = async (account: CredentialsRow | undefined, password: string): Promise<RightPassword | null> => {
    const stored = account?.password_hash ?? null;
    const isRight = await passwords.isRight(password, stored);
    if (account && stored !== null && isRight) return { id: account.id, stored };
    if (account) noteWrong(account);
    return null;
  };

  return {
    async ofEmail({ email: input, password, clientAddress }) {
      const email = readEmail(input);
      const right = await throttle.guess({ email: email ?? input }, clientAddress, async () => {
        const account = email === null ? undefined : await runOne(db, selectCredentialsByEmail({ email }));
        return compare(account, password);
      });
      if (!right) throw notRight();
      return right;
    },
    async ofSignedIn(account, { current, clientAddress }) {
      const right = await throttle.guess({ accountId: account.id }, clientAddress, () => compare(account, current));
      if (!right) throw notCurrent();
      return right;
    },
    async settle() {
      await Promise.all(notes);
    },
  };
}

/** The address in its stored form; null for what is no address, which is answered like an unknown one. */
function readEmail(input: string): string | null {
  try {
    return parseEmail(input);
  } catch {
    return null;
  }
}

export function notRight(): InputError {
  return new InputError('The e-mail address or the password is not right.');
}

export function notCurrent(): InputError {
  return new InputError('This is not your current password.', 'current');
}
