import { type Clock, laterThan } from '../../platform/clock.js';
import { parseDisplayName } from './display-name.js';
import { parseEmail } from './email.js';
import { isId, newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { isPlan, type Plan, PLANS } from './plan.js';
import { digestSecretToken, newSecretToken } from '../../platform/secret-token.js';
import {
  type AccountRow,
  insertAccount,
  lockAccount,
  selectAccount,
  selectAccountByEmail,
  selectAccounts,
  selectAccountToAddTo,
  updatePlan,
} from './account-statements.js';
import { type Database, runApart, runOne } from '../../store/database.js';
import { UniqueViolation } from '../../store/errors.js';
import { deleteEndedLinks, insertSignInLink } from './sign-in-link-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A link that signs its holder in once. Only a digest of it is stored, so it can be shown this one time. */
export interface SignInLink {
  /** 256 random bits in base64url: the secret part of the link's address. */
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

interface NewAccount {
  readonly email: string;
  readonly plan: string;
  readonly name?: string | undefined;
}

/** How long a sign-in link is good. */
export const LINK_LIFE_MS = 3_600_000;

export interface AccountsDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** What else becomes of an account whose plan changes, in the same transaction. */
  readonly onPlanChanged: (accountId: string, plan: Plan, now: Date) => Transaction<void>;
}

/** Every method rejects with an InputError for what it cannot take. */
export function createAccounts({ db, clock, onPlanChanged }: AccountsDeps) {
  return {
    /** By default, the name is the e-mail address. */
    async create({ email, plan, name }: NewAccount): Promise<{ account: Account; signInLink: SignInLink }> {
      const row = {
        id: newId('acc'),
        email: parseEmail(email),
        name: parseDisplayName(name ?? email),
        plan: parsePlan(plan),
        created_at: clock.now().toISOString(),
      };
      const signInLink = newSignInLink(clock.now());
      await db
        .transaction(function* () {
          const now = clock.now();
          yield* addAccount(row, now);
          yield* addSignInLink(row.id, signInLink, now);
        })
        .catch(refuseTaken);
      return { account: accountOf(row), signInLink };
    },
    async list(): Promise<Account[]> {
      return (await db.run(selectAccounts({}))).map(accountOf);
    },
    async findByEmail(email: string): Promise<Account | null> {
      const row = await runOne(db, selectAccountByEmail({ email: parseEmail(email) }));
      return row ? accountOf(row) : null;
    },
    async setPlan(accountId: string, plan: string): Promise<Account> {
      const id = parseAccountId(accountId);
      const chosen = parsePlan(plan);
      const change = function* () {
        const now = clock.now();
        const row = yield* changePlan(id, chosen, now);
        yield* onPlanChanged(id, chosen, now);
        return row;
      };
      return accountOf(await db.transaction(change));
    },
    async createSignInLink(accountId: string): Promise<SignInLink> {
      const id = parseAccountId(accountId);
      const signInLink = newSignInLink(clock.now());
      await db.transaction(function* () {
        if (!(yield* one(selectAccountToAddTo({ id })))) throw noSuchAccount();
        const now = clock.now();
        yield* addSignInLink(id, signInLink, now);
        yield* execute(deleteEndedLinks({ now: now.toISOString() }));
      });
      return signInLink;
    },
  };
}

/** @throws InputError when it is not an account id, without a query */
export function parseAccountId(text: string): string {
  if (!isId('acc', text)) throw noSuchAccount();
  return text;
}

/** @throws InputError when there is no such account */
export function* readAccount(accountId: string): Transaction<Account> {
  const row = yield* one(selectAccount({ id: parseAccountId(accountId) }));
  if (!row) throw noSuchAccount();
  return accountOf(row);
}

/** @throws InputError when there is no such account */
export function findAccount(db: Database, accountId: string): Promise<Account> {
  return runApart(db, readAccount(accountId));
}

/**
 * Holds off every transaction that does the same until this one ends: so what counts the account's keys, sites or webhooks counts all.
 * @throws InputError when there is no such account
 */
export function* holdAccount(accountId: string): Transaction<{ readonly plan: Plan }> {
  const account = yield* one(lockAccount({ id: accountId }));
  if (!account) throw noSuchAccount();
  return account;
}

export function noSuchAccount(): InputError {
  return new InputError('There is no such account. Take its id (acc_ and 20 characters) from the list of accounts.');
}

function* changePlan(id: string, plan: Plan, now: Date): Transaction<AccountRow> {
  const row = yield* one(updatePlan({ id, plan }));
  if (!row) throw noSuchAccount();
  yield* recordEvent({ accountId: id, event: 'plan_changed', subject: plan, now });
  return row;
}

/** @throws InputError when the address has an account; UniqueViolation when it gets one at the same time: see {@link refuseTaken} */
export function* addAccount(row: AccountRow, now: Date): Transaction<void> {
  // Looked up first: SQLite's guard against REPLACE refuses the row before its unique index can.
  if (yield* one(selectAccountByEmail({ email: row.email }))) throw emailTaken();
  yield* execute(insertAccount({ ...row }));
  yield* recordEvent({ accountId: row.id, event: 'account_created', subject: row.plan, now });
}

/** @throws InputError in place of a UniqueViolation */
export function refuseTaken(error: unknown): never {
  throw error instanceof UniqueViolation ? emailTaken() : error;
}

function* addSignInLink(accountId: string, { token, expiresAt }: SignInLink, now: Date): Transaction<void> {
  const row = { digest: digestSecretToken(token), account_id: accountId, expires_at: expiresAt };
  yield* execute(insertSignInLink({ ...row, is_for_password: null }));
  yield* recordEvent({ accountId, event: 'sign_in_link_created', now });
}

export function newSignInLink(now: Date): SignInLink {
  return { token: newSecretToken(), expiresAt: laterThan(now, LINK_LIFE_MS) };
}

function parsePlan(text: string): Plan {
  const plan = text.trim().toUpperCase();
  if (!isPlan(plan)) throw new InputError(`There is no such plan. Choose one of ${Object.keys(PLANS).join(', ')}.`);
  return plan;
}

function emailTaken(): InputError {
  return new InputError('This e-mail address has an account already. Use that one, or another address.');
}

/** The account of a row that may hold more. */
export function accountOf({ id, email, name, plan, created_at }: AccountRow): Account {
  return { id, email, name, plan, createdAt: created_at };
}
