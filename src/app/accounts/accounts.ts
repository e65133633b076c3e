import { isId, newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { addLink, type NewLink } from './links.js';
import { isPlan, type Plan, PLANS } from './plan.js';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export interface Credentials extends Account {
  /** Null until a one-time link has set a password. */
  readonly password_hash: string | null;
}

export const ACCOUNT_COLUMNS = ['id', 'email', 'name', 'plan', 'created_at as createdAt'] as const;

export const accounts = table('accounts');

const selectAccounts = defineQuery<Account>((sql) =>
  sql('accounts').select(ACCOUNT_COLUMNS).whereNull('removed_at').orderBy(['created_at', 'id']),
);

const selectById = defineQuery<Credentials, { id: string }>((sql, { id }) =>
  sql('accounts')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where({ id })
    .whereNull('removed_at'),
);

/** Never finds a removed account: its email was replaced. */
const selectByEmail = defineQuery<Credentials, { email: string }>((sql, { email }) =>
  sql('accounts')
    .select([...ACCOUNT_COLUMNS, 'password_hash'])
    .where({ email }),
);

const selectToExport = defineQuery<Account & { readonly emailAlertsSince: string | null }, { id: string }>(
  (sql, { id }) =>
    sql('accounts')
      .select([...ACCOUNT_COLUMNS, 'email_alerts_since as emailAlertsSince'])
      .where({ id }),
);

/** Selects the account, and prevents its removal until the transaction ends. */
export const selectAccountForShare = defineQuery<{ id: string }, { id: string }>((sql, { id }) =>
  sql('accounts').select('id').where({ id }).whereNull('removed_at').forKeyShare(),
);

/** Selects and locks the account until the transaction ends. */
export const selectAccountForUpdate = defineQuery<{ plan: Plan; password_hash: string | null }, { id: string }>(
  (sql, { id }) => sql('accounts').select('plan', 'password_hash').where({ id }).whereNull('removed_at').forUpdate(),
);

/** Inserts the account and returns its id, unless another one has the address. */
const insertAccount = defineQuery<{ id: string }, Record<keyof Account, string> & Pick<Credentials, 'password_hash'>>(
  (sql, { id, email, name, plan, createdAt, password_hash }) =>
    sql.raw(
      // The condition comes first: SQLite's guard against REPLACE would refuse the row before the conflict is seen.
      `INSERT INTO accounts (id, email, name, plan, created_at, password_hash)
      SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text)
      WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?)
      ON CONFLICT (email) DO NOTHING RETURNING id`,
      [id, email, name, plan, createdAt, password_hash, email],
    ),
);

const updatePlan = defineQuery<Account, { id: string; plan: string }>((sql, { id, plan }) =>
  sql('accounts')
    .where({ id })
    .whereNull('removed_at')
    .update({ plan })
    .returning([...ACCOUNT_COLUMNS]),
);

interface NewAccount {
  readonly email: string;
  readonly plan: string;
  readonly name?: string | undefined;
}

interface AccountsContext extends Pick<Context, 'db' | 'clock'> {
  /** Called in the transaction that changes a plan. */
  readonly onPlanChanged?: (tx: Tx, accountId: string, plan: Plan, now: Date) => Promise<void>;
}

/** Every method rejects with an InputError for invalid input. */
export function createAccounts({ db, clock, onPlanChanged }: AccountsContext) {
  return {
    /** By default, the name is the e-mail address. */
    async create({ email, plan, name }: NewAccount): Promise<{ account: Account; signInLink: NewLink }> {
      const now = clock.now();
      const account = {
        id: newId('acc'),
        email: parseEmail(email),
        name: parseDisplayName(name ?? email),
        plan: parsePlan(plan),
        createdAt: now.toISOString(),
      };
      const signInLink = await db.transaction(async (tx) => {
        await addAccount(tx, { ...account, password_hash: null }, now);
        return addSignInLink(tx, account.id, now);
      });
      return { account, signInLink };
    },
    list: (): Promise<readonly Account[]> => db.run(selectAccounts({})),
    async findByEmail(email: string): Promise<Account | null> {
      const row = await readAccount(db, { email: parseEmail(email) });
      return row ? accountOf(row) : null;
    },
    async setPlan(accountId: string, plan: string): Promise<Account> {
      const id = parseAccountId(accountId);
      const chosen = parsePlan(plan);
      return db.transaction(async (tx) => {
        const now = clock.now();
        const changed = await tx.one(updatePlan({ id, plan: chosen }));
        if (!changed) throw noSuchAccount();
        await recordEvent(tx, { accountId: id, event: 'plan_changed', subject: chosen, now });
        await onPlanChanged?.(tx, id, chosen, now);
        return changed;
      });
    },
    async createSignInLink(accountId: string): Promise<NewLink> {
      const id = parseAccountId(accountId);
      return db.transaction(async (tx) => {
        if (!(await tx.one(selectAccountForShare({ id })))) throw noSuchAccount();
        return addSignInLink(tx, id, clock.now());
      });
    },
  };
}

/** @throws InputError, without a query, if the text is not an account id */
export function parseAccountId(text: string): string {
  if (!isId('acc', text)) throw noSuchAccount();
  return text;
}

/** Reads an account with its password, unless it is being removed. */
export function readAccount(
  sql: Sql,
  by: { readonly id: string } | { readonly email: string },
): Promise<Credentials | undefined> {
  return sql.one('id' in by ? selectById(by) : selectByEmail(by));
}

/** @throws InputError if there is no such account */
export async function findCredentials(sql: Sql, accountId: string): Promise<Credentials> {
  const account = await readAccount(sql, { id: parseAccountId(accountId) });
  if (!account) throw noSuchAccount();
  return account;
}

/** @throws InputError if there is no such account */
export async function findAccount(sql: Sql, accountId: string): Promise<Account> {
  return accountOf(await findCredentials(sql, accountId));
}

export function accountOf({ id, email, name, plan, createdAt }: Account): Account {
  return { id, email, name, plan, createdAt };
}

/**
 * Locks the account until the transaction ends, so that concurrent transactions count its keys, sites or webhooks one after the other.
 * @throws InputError if there is no such account
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<{ readonly plan: Plan }> {
  const account = await tx.one(selectAccountForUpdate({ id: accountId }));
  if (!account) throw noSuchAccount();
  return account;
}

export function noSuchAccount(): InputError {
  return new InputError('There is no such account. Take its id (acc_ and 20 characters) from the list of accounts.');
}

async function addSignInLink(tx: Tx, accountId: string, now: Date): Promise<NewLink> {
  const link = await addLink(tx, { account_id: accountId }, now);
  await recordEvent(tx, { accountId, event: 'sign_in_link_created', now });
  return link;
}

/** @throws InputError if another account has the address */
export async function addAccount(tx: Tx, account: Credentials, now: Date): Promise<void> {
  if (!(await tx.one(insertAccount({ ...account })))) {
    throw new InputError('This e-mail address has an account already. Use that one, or another address.');
  }
  await recordEvent(tx, { accountId: account.id, event: 'account_created', subject: account.plan, now });
}

function parsePlan(text: string): Plan {
  const plan = text.trim().toUpperCase();
  if (!isPlan(plan)) throw new InputError(`There is no such plan. Choose one of ${Object.keys(PLANS).join(', ')}.`);
  return plan;
}

export async function* accountLines(db: Database, id: string): AsyncGenerator<object, void> {
  yield* await db.run(selectToExport({ id }));
}

/** RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.3 (a path of 256 octets holds an address of 254). */
const LOCAL_CHARS_MAX = 64;
const EMAIL_CHARS_MAX = 254;
const EMAIL_SHAPE = /^([^\s@"<>(),:;\\[\]\p{Cc}]+)@([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,})$/u;

/**
 * Parses an e-mail address, and changes it to lower case, so that one address is one account. Checks only its form.
 * @throws InputError
 */
export function parseEmail(input: string): string {
  const email = input.trim().toLowerCase();
  const [, local] = email.length <= EMAIL_CHARS_MAX ? (EMAIL_SHAPE.exec(email) ?? []) : [];
  if (local === undefined || local.length > LOCAL_CHARS_MAX || email.includes('..')) {
    throw new InputError('This is not an e-mail address. Give one such as you@example.com.');
  }
  return email;
}

const NAME_CHARS_MAX = 100;

/**
 * Parses and trims the name of an account or a key.
 * @throws InputError if it is empty, too long, or has control or formatting characters, which could disguise it in a list
 */
export function parseDisplayName(input: string): string {
  const name = input.trim();
  if (name === '') throw new InputError('Give a name.', 'name');
  if (name.length > NAME_CHARS_MAX)
    throw new InputError(`Give a name of at most ${NAME_CHARS_MAX} characters.`, 'name');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name))
    throw new InputError('Give a name without control characters.', 'name');
  return name;
}
