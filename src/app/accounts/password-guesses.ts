import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import { Pending } from '../../platform/pending.js';
import { type Database, runOne } from '../../store/database.js';
import { recordWrongPassword } from '../audit/audit.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { type CredentialsRow, selectCredentialsByEmail } from './account-statements.js';
import { parseEmail } from './email.js';
import { guesserOf } from './guesser.js';
import type { Passwords } from './passwords.js';
import { throttleGuess } from './sign-in-throttle.js';

/** An account whose password was given, with the stored hash that it was compared with. */
export interface RightPassword {
  readonly id: string;
  readonly stored: string;
}

/** What someone who is not signed in gives. */
export interface EmailGuess {
  readonly email: string;
  readonly password: string;
  readonly clientAddress: string;
  /** The token of the device, if it has one. */
  readonly device?: string | undefined;
}

export interface PasswordGuessesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits: RateLimits;
  readonly passwords: Passwords;
}

/** Compares passwords that people give: throttled, and with a note in the account where they are wrong. */
export function createPasswordGuesses({ db, clock, rateLimits, passwords }: PasswordGuessesDeps) {
  const notes = new Pending();

  /** Alongside the answer, which comes as soon for an account as for none. */
  const noteWrong = ({ id }: CredentialsRow): void => {
    notes.add(recordWrongPassword(db, id, clock.now()).catch(() => undefined));
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
    /** @throws InputError, the same and after the same time for a wrong password and for no account; TooSoonError */
    async ofEmail(guess: EmailGuess): Promise<RightPassword> {
      const { email: input, password, clientAddress, device } = guess;
      const email = readEmail(input);
      const by = await guesserOf({ db, clock }, { email: email ?? input, clientAddress }, device);
      const right = await throttleGuess(rateLimits, by, async () => {
        const account = email === null ? undefined : await runOne(db, selectCredentialsByEmail({ email }));
        return compare(account, password);
      });
      if (!right) throw notRight();
      return right;
    },
    /** Asks the signed-in person again. @throws InputError with field `current`; TooSoonError */
    async ofSignedIn(account: CredentialsRow, current: string): Promise<RightPassword> {
      const right = await throttleGuess(rateLimits, { accountId: account.id }, () => compare(account, current));
      if (!right) throw notCurrent();
      return right;
    },
    /** Resolves when the wrong passwords so far are recorded. */
    settle: () => notes.settle(),
  };
}

/** The address in its stored form; null for what is not an address, which is answered like an unknown one. */
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
