import { isoTimeAfter } from '../../platform/clock.js';
import { digestSecretToken, isSecretToken, newSecretToken } from '../../platform/ids.js';
import type { Sql, Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';

/** A new one-time link. Only its digest is stored, so it cannot be shown again. */
export interface NewLink {
  /** The secret part of the link's URL: 256 random bits in base64url. */
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

export const LINK_LIFE_MS = 3_600_000;

/** An account, or the email address for which the link creates one. */
type LinkOwner =
  { readonly account_id: string; readonly email?: never } | { readonly email: string; readonly account_id?: never };

type LinkRow = Pick<Row<'sign_in_links'>, 'digest' | 'account_id' | 'email'>;

const links = table('sign_in_links');

/** Inserts nothing for an unknown account, or for an email that has one. All cases run one statement, so that timing reveals nothing. */
const insertLink = defineQuery<never, LinkRow & { expires_at: string; is_for_password: number | null }>(
  (sql, { digest, account_id, email, expires_at, is_for_password }) =>
    sql.raw(
      `INSERT INTO sign_in_links (digest, account_id, email, expires_at, is_for_password)
        SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS integer)
        WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ? AND removed_at IS NULL)
          OR (CAST(? AS text) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = ?))`,
      [digest, account_id, email, expires_at, is_for_password, account_id, email, email],
    ),
);

const selectLink = defineQuery<
  {
    /** Null for a link that creates an account. */
    readonly accountId: string | null;
    readonly email: string;
    /** Name of the account, or the email if there is none. */
    readonly name: string;
    readonly password_hash: string | null;
    readonly is_for_password: number | null;
  },
  { digest: string; now: string }
>((sql, { digest, now }) =>
  sql('sign_in_links as l')
    .leftJoin('accounts as a', 'a.id', 'l.account_id')
    .select('l.account_id as accountId', 'a.password_hash', 'l.is_for_password')
    .select(sql.raw('COALESCE(a.email, l.email) AS email, COALESCE(a.name, l.email) AS name'))
    .where({ 'l.digest': digest })
    .where('l.expires_at', '>', now),
);

/** Stores a link. @param isForPassword true if the link requires a new password */
export async function addLink(tx: Tx, owner: LinkOwner, now: Date, isForPassword = false): Promise<NewLink> {
  const link = { token: newSecretToken(), expiresAt: isoTimeAfter(now, LINK_LIFE_MS) };
  const { account_id = null, email = null } = owner;
  const row = { digest: digestSecretToken(link.token), account_id, email, expires_at: link.expiresAt };
  await tx.run(insertLink({ ...row, is_for_password: isForPassword ? 1 : null }));
  return link;
}

/** Reads a link without using it. Returns null if it is unknown, used or expired. */
export async function findLink(sql: Sql, token: string, now: Date) {
  if (!isSecretToken(token)) return null;
  const row = await sql.one(selectLink({ digest: digestSecretToken(token), now: now.toISOString() }));
  if (!row) return null;
  const { password_hash, is_for_password, ...link } = row;
  return { ...link, hasPassword: password_hash !== null, isForPassword: is_for_password === 1 };
}

/** Uses a link. @returns false if it was already used or has expired */
export async function useLink(tx: Tx, token: string, now: Date): Promise<boolean> {
  const link = await tx.one(links.delete({ digest: digestSecretToken(token) }));
  return link !== undefined && link.expires_at > now.toISOString();
}

/** Deletes all links to an account, or all sign-up links of an email. */
export async function deleteLinks(tx: Tx, owner: LinkOwner): Promise<void> {
  await tx.run(links.delete(owner));
}
