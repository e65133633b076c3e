import type { Clock } from '../../platform/clock.js';
import { InputError } from '../../platform/input-error.js';
import { createHashNew } from './new-password.js';
import { parseNewPassword } from './password.js';
import type { StrengthTest } from './password-strength.js';
import { digestSecretToken, isSecretToken } from '../../platform/secret-token.js';
import {
  type CredentialsRow,
  lockAccount,
  lockAccountOfPassword,
  lockAccountWithoutPassword,
  rehashPassword,
  selectCredentials,
  setPassword,
} from './account-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { addNewPasswordMail } from './account-mails.js';
import { selectGoodLink, takeSignInLink, voidSignInLinks } from './sign-in-link-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { noSuchAccount, parseAccountId } from './accounts.js';
import {
  createPasswordGuesses,
  type EmailGuess,
  notCurrent,
  notRight,
  type RightPassword,
} from './password-guesses.js';
import { createPasswords, type Passwords } from './passwords.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { createSessions, endSessions, type OpenedSession } from './sessions.js';
import { createSignUps } from './sign-ups.js';

/** Whose a one-time link is, while it is good. */
export interface GoodLink {
  readonly email: string;
  readonly hasPassword: boolean;
  /** Whether it was asked for to set a password: then it does not let in without one. */
  readonly isForPassword: boolean;
}

interface LinkUse {
  readonly token: string;
  /** Empty to keep the one there is, where the link allows that. */
  readonly password: string;
  readonly device?: string | undefined;
}

interface PasswordChange {
  readonly accountId: string;
  /** Empty where none is set yet. */
  readonly current: string;
  readonly password: string;
}

export interface SignInDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rateLimits?: RateLimits;
  readonly passwords?: Passwords;
  /** Whether the owner of an account can be told of a new password by mail; by default not. */
  readonly hasMail?: boolean;
  /** Judges new passwords; by default, each will do that is not refused at a glance. */
  readonly isHard?: StrengthTest;
}

/** How account holders come in: one-time links, e-mail and password, sessions. */
export function createSignIn(deps: SignInDeps) {
  const { db, clock, passwords = createPasswords(), isHard = async () => true, hasMail = false } = deps;
  const { rateLimits = createRateLimits({ db, clock }) } = deps;
  const sessions = createSessions({ db, clock });
  const guesses = createPasswordGuesses({ db, clock, rateLimits, passwords });
  const isoNow = (): string => clock.now().toISOString();
  const hashNew = createHashNew({ rateLimits, passwords, isHard });
  return {
    /** Looks at a one-time link without using it; null when it is unknown, used or expired. */
    async readLink(token: string): Promise<GoodLink | null> {
      const link = await findGoodLink(db, token, isoNow());
      return link ? goodLinkOf(link) : null;
    },
    /**
     * Uses the link up and opens a session. Sets the password, unless it is left out: a new one ends every other session.
     * @throws InputError with field `password`; one without a field when the link is no longer good; TooSoonError
     */
    async useLink({ token, password, device }: LinkUse): Promise<OpenedSession> {
      const link = await findGoodLink(db, token, isoNow());
      if (!link) throw linkIsSpent();
      const hash = password === '' && link.is_for_password !== 1 ? null : await hashNew(password, link, { token });
      return sessions.open(link.account_id, device, function* () {
        const now = clock.now();
        yield* takeLink(link.account_id, token, now);
        if (hash !== null) yield* replacePassword(link.account_id, hash, { now, isTold: hasMail });
      });
    },
    /**
     * @throws InputError, the same and after the same time whichever of the two is wrong; TooSoonError after too many failures of
     * this device, or by strangers of this account or from this address
     */
    async withPassword(guess: EmailGuess): Promise<OpenedSession> {
      const right = await guesses.ofEmail(guess);
      const session = await sessions.open(right.id, guess.device, function* () {
        yield* assertPassword(right.id, right.stored, notRight);
        yield* recordEvent({ accountId: right.id, event: 'signed_in', subject: 'password', now: clock.now() });
      });
      await renewHash({ db, passwords }, right, guess.password);
      return session;
    },
    authenticate: sessions.authenticate,
    signOut: sessions.end,
    sessionsOf: sessions.list,
    signOutSession: sessions.endOne,
    /** Ends every session of the account but the one that asks. */
    signOutOthers: sessions.endOthers,
    /** Ends every session of the account. */
    signOutEverywhere: async (accountId: string) => sessions.endAll(parseAccountId(accountId)),
    /** Whether the account can be entered without a link. @throws InputError when there is no such account */
    async hasPassword(accountId: string): Promise<boolean> {
      return (await readAccount(db, accountId)).password_hash !== null;
    },
    /**
     * Sets the account's first password, or another in its place. Ends every session of the account and opens a new one.
     * @throws InputError with field `current` or `password`; TooSoonError
     */
    async changePassword({ accountId, current, password }: PasswordChange): Promise<OpenedSession> {
      const account = await readAccount(db, accountId);
      parseNewPassword(password, [account.email, account.name]);
      const before = account.password_hash === null ? null : (await guesses.ofSignedIn(account, current)).stored;
      const hash = await hashNew(password, account, { accountId });
      return sessions.open(accountId, undefined, function* () {
        yield* assertPassword(accountId, before, notCurrent);
        yield* replacePassword(accountId, hash, { now: clock.now(), isTold: hasMail });
      });
    },
    /**
     * Makes sure that the signed-in person knows the password, before something that cannot be undone.
     * @throws InputError with field `current`, without a field where no password is set; TooSoonError
     */
    async confirmPassword({ accountId, current }: Omit<PasswordChange, 'password'>): Promise<void> {
      const account = await readAccount(db, accountId);
      if (account.password_hash === null) throw noPassword();
      await guesses.ofSignedIn(account, current);
    },
    ...createSignUps({ db, clock, sessions, hashNew }),
    /** Resolves when the wrong passwords so far are recorded: for the end of the process. */
    settle: guesses.settle,
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

async function findGoodLink(db: Database, token: string, now: string) {
  return isSecretToken(token) ? runOne(db, selectGoodLink({ digest: digestSecretToken(token), now })) : undefined;
}

function goodLinkOf({
  email,
  password_hash,
  is_for_password,
}: Pick<CredentialsRow, 'email' | 'password_hash'> & { readonly is_for_password: number | null }): GoodLink {
  return { email, hasPassword: password_hash !== null, isForPassword: is_for_password === 1 };
}

/** @throws InputError */
async function readAccount(db: Database, accountId: string): Promise<CredentialsRow> {
  const account = await runOne(db, selectCredentials({ id: parseAccountId(accountId) }));
  if (!account) throw noSuchAccount();
  return account;
}

/** Hashes the password of an account at today's cost. One that cannot be hashed now is left for the next sign-in. */
async function renewHash(
  { db, passwords }: { readonly db: Database; readonly passwords: Passwords },
  { id, stored }: RightPassword,
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(stored)) return;
  const after = await passwords.hash(password).catch(() => null);
  if (after !== null) await db.run(rehashPassword({ id, before: stored, after }));
}

function* takeLink(accountId: string, token: string, now: Date): Transaction<void> {
  // Two links of one account at the same time come one after the other, and the first may have ended the second.
  yield* execute(lockAccount({ id: accountId }));
  const digest = digestSecretToken(token);
  if (!(yield* one(takeSignInLink({ digest, now: now.toISOString() })))) throw linkIsSpent();
  yield* recordEvent({ accountId, event: 'signed_in', subject: 'one-time link', now });
}

/**
 * Ends every session opened with the old password, and every link that could set another; no device is known any more.
 * @param isTold whether the owner is told of it by mail
 */
function* replacePassword(
  id: string,
  password_hash: string,
  { now, isTold }: { readonly now: Date; readonly isTold: boolean },
): Transaction<void> {
  yield* execute(setPassword({ id, password_hash }));
  yield* recordEvent({ accountId: id, event: 'password_changed', now });
  yield* execute(voidSignInLinks({ account_id: id, now: now.toISOString() }));
  yield* endSessions(id);
  if (isTold) yield* addNewPasswordMail(id, now);
}

/**
 * The password may have been changed while it was compared, or a first one set; that has ended the account's sessions, and no new one may
 * follow.
 */
function* assertPassword(id: string, password_hash: string | null, refusal: () => InputError): Transaction<void> {
  const lock =
    password_hash === null ? lockAccountWithoutPassword({ id }) : lockAccountOfPassword({ id, password_hash });
  if (!(yield* one(lock))) throw refusal();
}

function noPassword(): InputError {
  return new InputError('Set a password first, on the page of your account: this asks for it.');
}

function linkIsSpent(): InputError {
  return new InputError(
    'This link is no longer good: it works once, within an hour. Sign in with your password, or get a new link.',
  );
}
