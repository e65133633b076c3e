import { networkOf } from '../../platform/http/request.js';
import { Pending } from '../../platform/concurrency.js';
import { InputError } from '../../platform/errors.js';
import type { StartTimer } from '../../platform/clock.js';
import type { Tx } from '../../store/database.js';
import { currentActor, recordEvent, recordOncePerHour } from '../audit/audit.js';
import type { Context } from '../context.js';
import { consume, type Limit, limitOf, networkLimits } from '../limits/limits.js';
import {
  type AccountRow,
  accounts,
  addAccount,
  findAccountRow,
  parseEmail,
  readAccount,
  selectAccountForUpdate,
} from './accounts.js';
import { deleteLinks, findLink, useLink } from './links.js';
import { queuePasswordChangedMail } from './mails.js';
import { createPasswords, hashNewPassword, parseNewPassword, type Passwords } from './passwords.js';
import { createSessions, endSessions, openSession, type OpenedSession, wrongCredentials } from './sessions.js';

/** An empty password keeps the current one, if the link allows that. */
type LinkUse = Readonly<Record<'token' | 'password', string>>;

interface SignInContext extends Pick<Context, 'db' | 'clock' | 'hasMail'> {
  readonly passwords: Passwords;
  readonly startTimer?: StartTimer | undefined;
}

/** Signs people in by password, one-time link or session. Creates accounts by sign-up link. */
export function createSignIn(options: Pick<Context, 'db' | 'clock'> & Partial<SignInContext>) {
  const context: SignInContext = { passwords: createPasswords(), hasMail: false, ...options };
  return { ...createSessions(context), ...createPasswordSignIn(context), ...createLinkSignIn(context) };
}

export type SignIn = ReturnType<typeof createSignIn>;

function createPasswordSignIn(context: SignInContext) {
  const { db, clock, passwords } = context;
  const { check, checkCurrentPassword, settle } = createPasswordChecks(context);
  return {
    settle,
    /**
     * @throws InputError with the same text and delay for a wrong address and a wrong password; RateLimitError after too many failures for
     * this account or network
     */
    async withPassword({
      email: input,
      password,
      clientAddress,
    }: Readonly<Record<'email' | 'password' | 'clientAddress', string>>): Promise<OpenedSession> {
      const email = readEmail(input);
      const network = networkOf(clientAddress);
      const limits = [
        ...networkLimits('sign-in-address', clientAddress),
        ...networkLimits('sign-in-account', clientAddress, email ?? input),
      ];
      const find = async () => (email === null ? undefined : readAccount(db, { email }));
      const account = await check(limits, find, password, network);
      if (!account) throw wrongCredentials();
      passwords.prefer(network);
      return db.transaction((tx) => openSession(tx, account, clock.now(), 'password'));
    },
    /** @throws InputError if there is no such account */
    async hasPassword(accountId: string): Promise<boolean> {
      return (await findAccountRow(db, accountId)).password_hash !== null;
    },
    /**
     * Sets or replaces the account's password. Ends every session of the account and opens a new one.
     * @param change `current` is empty if the account has no password yet
     * @throws InputError with field `current` or `password`; RateLimitError
     */
    async changePassword(
      change: Readonly<Record<'accountId' | 'current' | 'password', string>>,
    ): Promise<OpenedSession> {
      const { accountId, current, password } = change;
      const account = await findAccountRow(db, accountId);
      parseNewPassword(password, [account.email, account.name]);
      if (account.password_hash !== null) await checkCurrentPassword(account, current);
      const hash = await hashNewPassword(passwords, password, account);
      return db.transaction(async (tx) => {
        const now = clock.now();
        const stored = await tx.one(selectAccountForUpdate({ id: accountId }));
        if (stored?.password_hash !== account.password_hash) throw wrongCurrentPassword();
        await replacePassword(tx, context, accountId, hash, now);
        return openSession(tx, { id: accountId, password_hash: hash }, now);
      });
    },
    /**
     * Checks the signed-in person's password before an action that cannot be undone.
     * @throws InputError with field `current`, without a field if no password is set; RateLimitError
     */
    async confirmPassword({ accountId, current }: Readonly<Record<'accountId' | 'current', string>>): Promise<void> {
      const account = await findAccountRow(db, accountId);
      if (account.password_hash === null) {
        throw new InputError('Set a password on your account page first. You need it to confirm this.');
      }
      await checkCurrentPassword(account, current);
    },
  };
}

/** Checks passwords that people enter. Limits wrong passwords and records them in the account's activity. */
function createPasswordChecks({ db, clock, passwords, startTimer }: SignInContext) {
  const background = new Pending();

  /** Records a wrong password in the background, so that timing does not reveal whether the account exists. */
  const recordWrongPassword = (accountId: string): void => {
    const { address } = currentActor();
    const event = { accountId, event: 'wrong_password', address, at: clock.now().toISOString() } as const;
    background.add(recordOncePerHour(db, event).catch(() => undefined));
  };

  /**
   * Checks a password. Charges each attempt before the comparison, so that concurrent attempts count, and refunds a correct one.
   * @param find resolves to undefined if there is no account; the comparison then takes the same time
   * @returns the account; null for a wrong password or no account
   */
  const check = async (
    limits: readonly Limit[],
    find: () => Promise<AccountRow | undefined>,
    password: string,
    owner: string,
  ): Promise<AccountRow | null> => {
    const refund = await consume(db, limits, clock.now(), startTimer);
    let isWrong = false;
    try {
      const account = await find();
      isWrong = !(await passwords.matches(password, account?.password_hash ?? null, owner));
      if (account && isWrong) recordWrongPassword(account.id);
      return isWrong ? null : (account ?? null);
    } finally {
      if (!isWrong) await refund();
    }
  };

  const checkCurrentPassword = async (account: AccountRow, current: string): Promise<void> => {
    passwords.prefer(account.id);
    const limits = [limitOf('current-password', account.id)];
    if (!(await check(limits, async () => account, current, account.id))) throw wrongCurrentPassword();
  };

  /** Resolves when all wrong passwords are recorded. Called at shutdown. */
  const settle = () => background.settle();

  return { check, checkCurrentPassword, settle };
}

function createLinkSignIn(context: SignInContext) {
  const { db, clock, passwords } = context;
  const find = (token: string) => findLink(db, token, clock.now());
  return {
    /** Reads a one-time link without using it. Returns null if it is unknown, used or expired. */
    async readLink(token: string) {
      const link = await find(token);
      return typeof link?.accountId === 'string' ? link : null;
    },
    /**
     * Uses the link and opens a session. If there is a password, sets it and ends every other session.
     * @throws InputError with field `password`; without a field if the link is not valid
     */
    async useLink({ token, password }: LinkUse): Promise<OpenedSession> {
      const link = await find(token);
      if (typeof link?.accountId !== 'string') throw invalidLink();
      const { accountId } = link;
      const hash = password || link.isForPassword ? await hashNewPassword(passwords, password, link) : null;
      return db.transaction(async (tx) => {
        const now = clock.now();
        // The lock serializes concurrent links of one account, because the first may delete the second.
        const account = await tx.one(selectAccountForUpdate({ id: accountId }));
        // A mail written during the account's removal may have added the link afterwards.
        if (!account || !(await useLink(tx, token, now))) throw invalidLink();
        if (hash !== null) await replacePassword(tx, context, accountId, hash, now);
        return openSession(tx, { ...account, password_hash: hash ?? account.password_hash }, now, 'one-time link');
      });
    },
    /** Returns the address that a sign-up link confirms, without using the link. Null if the link is unknown, used or expired. */
    async readSignUp(token: string): Promise<string | null> {
      const link = await find(token);
      return link?.accountId === null ? link.email : null;
    },
    /**
     * Uses the link, creates an account on the plan FREE, and opens its first session.
     * @throws InputError with field `password`; without a field if the link is not valid, or the address now has an account
     */
    async signUp({ token, password }: LinkUse): Promise<OpenedSession> {
      const link = await find(token);
      if (link?.accountId !== null) throw invalidLink();
      // Like the operator's `accounts create`, uses the address as the name.
      const { email, name } = link;
      const password_hash = await hashNewPassword(passwords, password, { email, name });
      return db.transaction(async (tx) => {
        const now = clock.now();
        if (!(await useLink(tx, token, now))) throw invalidLink();
        await deleteLinks(tx, { email });
        const { id } = await addAccount(tx, { email, name, plan: 'FREE', password_hash }, now);
        await recordEvent(tx, { accountId: id, event: 'password_changed', now });
        return openSession(tx, { id, password_hash }, now, 'one-time link');
      });
    },
  };
}

/** Sets a new password, ends all sessions and deletes all links of the account. Notifies the owner by mail. */
async function replacePassword(
  tx: Tx,
  { hasMail }: SignInContext,
  id: string,
  password_hash: string,
  now: Date,
): Promise<void> {
  await tx.run(accounts.update({ id }, { password_hash }));
  await recordEvent(tx, { accountId: id, event: 'password_changed', now });
  await deleteLinks(tx, { account_id: id });
  await endSessions(tx, id);
  if (hasMail) await queuePasswordChangedMail(tx, id, now);
}

/** Returns the address in its stored form. Null for invalid input, which is treated like an unknown address. */
function readEmail(input: string): string | null {
  try {
    return parseEmail(input);
  } catch {
    return null;
  }
}

function wrongCurrentPassword(): InputError {
  return new InputError('This is not your current password.', 'current');
}

function invalidLink(): InputError {
  return new InputError('This link has expired or was already used. A link works once, within an hour. Get a new one.');
}
