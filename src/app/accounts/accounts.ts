import { newId, parseId, requireFound } from '../../platform/ids.js';
import { InputError } from '../../platform/errors.js';
import type { Database, Sql, Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { addLink, type NewLink } from './links.js';
import { type Plan, PLANS } from './plan.js';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly plan: Plan;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

export type AccountRow = Row<'accounts'> & { readonly plan: Plan };

type NewAccount = Pick<AccountRow, 'id' | 'email' | 'name' | 'plan' | 'created_at' | 'password_hash'>;

export const accounts = table<'accounts', AccountRow>('accounts');

const selectAccounts = defineQuery<AccountRow>((sql) =>
  sql('accounts').whereNull('removed_at').orderBy(['created_at', 'id']),
);

const selectById = defineQuery<AccountRow, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).whereNull('removed_at'),
);

/** Never finds a removed account, because removal replaces its email. */
const selectByEmail = defineQuery<AccountRow, { email: string }>((sql, { email }) => sql('accounts').where({ email }));

/** Selects and locks the account until the transaction ends. */
export const selectAccountForUpdate = defineQuery<AccountRow, { id: string }>((sql, { id }) =>
  sql('accounts').where({ id }).whereNull('removed_at').forUpdate(),
);

/** Returns the new account's id, or no row if the email is in use. */
const insertAccount = defineQuery<{ id: string }, NewAccount>(
  (sql, { id, email, name, plan, created_at, password_hash }) =>
    sql.raw(
      // NOT EXISTS is needed because on SQLite, the trigger `no_replace` fails before ON CONFLICT applies.
      `INSERT INTO accounts (id, email, name, plan, created_at, password_hash)
      SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text)
      WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?)
      ON CONFLICT (email) DO NOTHING RETURNING id`,
      [id, email, name, plan, created_at, password_hash, email],
    ),
);

interface AccountsContext extends Pick<Context, 'db' | 'clock'> {
  /** Called in the transaction that changes a plan. */
  readonly onPlanChanged?: (tx: Tx, accountId: string, plan: Plan, now: Date) => Promise<void>;
}

/** Every method rejects invalid input with an InputError. */
export function createAccounts({ db, clock, onPlanChanged }: AccountsContext) {
  return {
    async create({ email, plan, name = email }: { email: string; plan: string; name?: string }) {
      const now = clock.now();
      const fields = { email: parseEmail(email), name: parseDisplayName(name), plan: parsePlan(plan) };
      return db.transaction(async (tx) => {
        const account = await addAccount(tx, { ...fields, password_hash: null }, now);
        return { account, signInLink: await addSignInLink(tx, account.id, now) };
      });
    },
    list: async (): Promise<readonly Account[]> => (await db.run(selectAccounts({}))).map(toAccount),
    async setPlan(accountId: string, planName: string): Promise<Account> {
      const plan = parsePlan(planName);
      return db.transaction(async (tx) => {
        const now = clock.now();
        const account = toAccount(await lockAccount(tx, accountId));
        const { id } = account;
        await tx.run(accounts.update({ id }, { plan }));
        await recordEvent(tx, { accountId: id, event: 'plan_changed', subject: plan, now });
        await onPlanChanged?.(tx, id, plan, now);
        return { ...account, plan };
      });
    },
    async createSignInLink(accountId: string): Promise<NewLink> {
      return db.transaction(async (tx) => addSignInLink(tx, (await lockAccount(tx, accountId)).id, clock.now()));
    },
  };
}

/** Returns undefined for a removed account. */
export function readAccount(
  sql: Sql,
  by: { readonly id: string } | { readonly email: string },
): Promise<AccountRow | undefined> {
  return sql.one('id' in by ? selectById(by) : selectByEmail(by));
}

/** @throws InputError if there is no such account */
export async function findAccountRow(sql: Sql, accountId: string): Promise<AccountRow> {
  return requireFound('acc', await readAccount(sql, { id: parseId('acc', accountId) }));
}

/** @throws InputError if there is no such account */
export async function findAccount(sql: Sql, accountId: string): Promise<Account> {
  return toAccount(await findAccountRow(sql, accountId));
}

export function toAccount({ id, email, name, plan, created_at: createdAt }: NewAccount): Account {
  return { id, email, name, plan, createdAt };
}

/**
 * Locks the account until the transaction ends, so that concurrent requests cannot exceed its limits on keys, sites or webhooks.
 * @throws InputError if there is no such account
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<AccountRow> {
  return requireFound('acc', await tx.one(selectAccountForUpdate({ id: parseId('acc', accountId) })));
}

async function addSignInLink(tx: Tx, accountId: string, now: Date): Promise<NewLink> {
  const link = await addLink(tx, { account_id: accountId }, now);
  await recordEvent(tx, { accountId, event: 'sign_in_link_created', now });
  return link;
}

/** @throws InputError if another account has the address */
export async function addAccount(tx: Tx, fields: Omit<NewAccount, 'id' | 'created_at'>, now: Date): Promise<Account> {
  const row = { ...fields, id: newId('acc'), created_at: now.toISOString() };
  if (!(await tx.one(insertAccount(row)))) {
    throw new InputError('This e-mail address already has an account. Use that account or another address.');
  }
  await recordEvent(tx, { accountId: row.id, event: 'account_created', subject: row.plan, now });
  return toAccount(row);
}

function parsePlan(text: string): Plan {
  const plan = text.trim().toUpperCase();
  if (!Object.hasOwn(PLANS, plan)) {
    throw new InputError(`There is no such plan. Choose one of ${Object.keys(PLANS).join(', ')}.`);
  }
  return plan as Plan;
}

export async function* exportAccountFields(db: Database, id: string): AsyncGenerator<object, void> {
  const account = await findAccountRow(db, id);
  yield { ...toAccount(account), emailAlertsSince: account.email_alerts_since };
}

/** RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.3 (256 octets for a path, which includes `<` and `>`). */
const LOCAL_CHARS_MAX = 64;
const EMAIL_CHARS_MAX = 254;
const EMAIL_PATTERN = /^([^\s@"<>(),:;\\[\]\p{Cc}]+)@([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,})$/u;

/**
 * Parses an e-mail address and lowercases it, so that each address has only one account. Checks only the syntax.
 * @throws InputError
 */
export function parseEmail(input: string): string {
  const email = input.trim().toLowerCase();
  const [, local] = email.length <= EMAIL_CHARS_MAX ? (EMAIL_PATTERN.exec(email) ?? []) : [];
  if (local === undefined || local.length > LOCAL_CHARS_MAX || email.includes('..')) {
    throw new InputError('This is not an e-mail address. Enter one such as you@example.com.');
  }
  return email;
}

const NAME_CHARS_MAX = 100;

/**
 * Parses and trims the name of an account or a key.
 * @throws InputError if it is empty, too long, or has control or format characters, which can make two names look the same
 */
export function parseDisplayName(input: string): string {
  const name = input.trim();
  if (name === '') throw new InputError('Enter a name.', 'name');
  if (name.length > NAME_CHARS_MAX)
    throw new InputError(`Enter a name of at most ${NAME_CHARS_MAX} characters.`, 'name');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(name))
    throw new InputError('Enter a name without control characters.', 'name');
  return name;
}
