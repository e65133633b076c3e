import type { Clock } from '../../platform/clock.js';
import { parseEmail } from './email.js';
import { InputError } from '../../platform/input-error.js';
import { parseNewPassword } from './password.js';
import { digestSecretToken, isSecretToken } from '../../platform/secret-token.js';
import {
  type CredentialsRow,
  lockAccount,
  lockAccountOfPassword,
  rehashPassword,
  selectCredentials,
  selectCredentialsByEmail,
  setPassword,
} from './account-statements.js';
import { type Database, runOne } from '../../store/database.js';
import { deleteSessionsOfAccount } from './session-statements.js';
import { selectGoodLink, takeSignInLink, voidSignInLinks } from './sign-in-link-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { noSuchAccount, parseAccountId } from './accounts.js';
import { createPasswords, type Passwords } from './passwords.js';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.js';
import { createSessions, type OpenedSession, type Session } from './sessions.js';
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.js';

export type { OpenedSession, Session } from './sessions.js';

/** Whose a one-time link is, while it is good. */
export interface GoodLink {
  readonly email: string;
  /** False on the account's first use: the link then has to set one. */
  readonly hasPassword: boolean;
}

/** How account holders come in: one-time links, e-mail and password, sessions. */
export interface SignIn {
  /** Looks at a one-time link without using it; null when it is unknown, used or expired. */
  readLink(token: string): Promise<GoodLink | null>;
  /**
   * Uses the link up, sets the password, opens a session. A password may be left out (empty) where one is set already.
   * A new password ends every other session.
   * @throws InputError with field `password`; one without a field when the link is no longer good
   */
  useLink(request: { readonly token: string; readonly password: string }): Promise<OpenedSession>;
  /**
   * @throws InputError, the same and after the same time whichever of the two is wrong; TooSoonError after too many failures of
   * this account or from this address
   */
  withPassword(request: {
    readonly email: string;
    readonly password: string;
    readonly clientAddress: string;
  }): Promise<OpenedSession>;
  /** The session of this cookie, kept awake; null when it is unknown, idle for too long, or past its end. */
  authenticate(token: string): Promise<Session | null>;
  signOut(token: string): Promise<void>;
  /** Ends every session of the account. */
  signOutEverywhere(accountId: string): Promise<void>;
  /**
   * Ends every session of the account and opens a new one.
   * @throws InputError with field `current` or `password`; TooSoonError
   */
  changePassword(request: {
    readonly accountId: string;
    readonly current: string;
    readonly password: string;
    readonly clientAddress: string;
  }): Promise<OpenedSession>;
  /**
   * Makes sure that the signed-in person knows the password, before something that cannot be undone.
   * @throws InputError with field `current`; TooSoonError
   */
  confirmPassword(request: {
    readonly accountId: string;
    readonly current: string;
    readonly clientAddress: string;
  }): Promise<void>;
}

export interface SignInDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly limits?: RateLimits;
  readonly passwords?: Passwords;
}

export function createSignIn({
  db,
  clock,
  limits = createRateLimits({ db, clock }),
  passwords = createPasswords(),
}: SignInDeps): SignIn {
  const sessions = createSessions({ db, clock });
  const throttle = createSignInThrottle(limits);
  const isoNow = (): string => clock.now().toISOString();

  return {
    async readLink(token) {
      const link = await findGoodLink(db, token, isoNow());
      return link ? { email: link.email, hasPassword: link.password_hash !== null } : null;
    },
    async useLink({ token, password }) {
      const link = await findGoodLink(db, token, isoNow());
      if (!link) throw linkIsSpent();
      if (password === '' && link.password_hash === null) {
        throw new InputError('Choose a password: you sign in with it from now on.', 'password');
      }
      const hash = password === '' ? null : await passwords.hash(parseNewPassword(password, link.email));
      return sessions.open(link.account_id, function* () {
        // Two links of one account at the same time come one after the other, and the first may have ended the second.
        yield* execute(lockAccount({ id: link.account_id }));
        const now = isoNow();
        if (!(yield* one(takeSignInLink({ digest: digestSecretToken(token), now })))) throw linkIsSpent();
        if (hash !== null) yield* replacePassword(link.account_id, hash, now);
      });
    },
    async withPassword({ email: input, password, clientAddress }) {
      const email = readEmail(input);
      const right = await throttle.guess({ email: email ?? input }, clientAddress, async () => {
        const account = email === null ? undefined : await runOne(db, selectCredentialsByEmail({ email }));
        return compare(passwords, account, password);
      });
      if (!right) throw notRight();
      const session = await sessions.open(right.id, () => assertPassword(right.id, right.stored, notRight));
      await renewHash({ db, passwords }, right, password);
      return session;
    },
    authenticate: sessions.authenticate,
    signOut: sessions.end,
    signOutEverywhere: (accountId) => sessions.endAll(parseAccountId(accountId)),
    async changePassword({ accountId, current, password, clientAddress }) {
      const account = await readAccount(db, accountId);
      const chosen = parseNewPassword(password, account.email);
      const right = await guessCurrent({ throttle, passwords }, account, { current, clientAddress });
      const hash = await passwords.hash(chosen);
      return sessions.open(accountId, function* () {
        yield* assertPassword(accountId, right.stored, notCurrent);
        yield* replacePassword(accountId, hash, isoNow());
      });
    },
    async confirmPassword({ accountId, ...guess }) {
      await guessCurrent({ throttle, passwords }, await readAccount(db, accountId), guess);
    },
  };
}

async function findGoodLink(db: Database, token: string, now: string) {
  return isSecretToken(token) ? runOne(db, selectGoodLink({ digest: digestSecretToken(token), now })) : undefined;
}

/** @throws InputError */
async function readAccount(db: Database, accountId: string): Promise<CredentialsRow> {
  const account = await runOne(db, selectCredentials({ id: parseAccountId(accountId) }));
  if (!account) throw noSuchAccount();
  return account;
}

/** Asks the signed-in person for the password again. @throws InputError with field `current`; TooSoonError */
async function guessCurrent(
  { throttle, passwords }: { readonly throttle: SignInThrottle; readonly passwords: Passwords },
  account: CredentialsRow,
  { current, clientAddress }: { readonly current: string; readonly clientAddress: string },
) {
  const right = await throttle.guess({ accountId: account.id }, clientAddress, () =>
    compare(passwords, account, current),
  );
  if (!right) throw notCurrent();
  return right;
}

/** The account and its stored hash; null, after the same time, for a wrong password or no account. */
async function compare(passwords: Passwords, account: CredentialsRow | undefined, password: string) {
  const stored = account?.password_hash ?? null;
  const isRight = await passwords.isRight(password, stored);
  return account && stored !== null && isRight ? { id: account.id, stored } : null;
}

/** Hashes the password of an account at today's cost. One that cannot be hashed now is left for the next sign-in. */
async function renewHash(
  { db, passwords }: { readonly db: Database; readonly passwords: Passwords },
  { id, stored }: { readonly id: string; readonly stored: string },
  password: string,
): Promise<void> {
  if (!passwords.isOutdated(stored)) return;
  const after = await passwords.hash(password).catch(() => null);
  if (after !== null) await db.run(rehashPassword({ id, before: stored, after }));
}

/** Ends every session opened with the old password, and every link that could set another. */
function* replacePassword(id: string, password_hash: string, now: string): Transaction<void> {
  yield* execute(setPassword({ id, password_hash }));
  yield* execute(voidSignInLinks({ account_id: id, now }));
  yield* execute(deleteSessionsOfAccount({ account_id: id }));
}

/** The password may have been changed while it was compared; that change has ended the account's sessions, and no new one may follow. */
function* assertPassword(id: string, password_hash: string, refusal: () => InputError): Transaction<void> {
  if (!(yield* one(lockAccountOfPassword({ id, password_hash })))) throw refusal();
}

/** The address in its stored form; null for what is no address, which is answered like an unknown one. */
function readEmail(input: string): string | null {
  try {
    return parseEmail(input);
  } catch {
    return null;
  }
}

function linkIsSpent(): InputError {
  return new InputError(
    'This link is no longer good: it works once, within an hour. Sign in with your password, or ask the operator for a new link.',
  );
}

function notRight(): InputError {
  return new InputError('The e-mail address or the password is not right.');
}

function notCurrent(): InputError {
  return new InputError('This is not your current password.', 'current');
}
