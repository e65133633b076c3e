import type { Knex } from 'knex';

/**
 * Webhooks in the formats of chats, webhooks for one site, and weekly digests. Versions beside this schema write signed JSON to any webhook that
 * is not disabled, of all sites. So a webhook of a chat or of one site is disabled for them, at an address that leads nowhere: what it is, newer
 * columns say.
 */
export async function addPlaces(sql: Knex): Promise<void> {
  await sql.schema.alterTable('webhooks', (table) => {
    // Null: signed JSON.
    table.text('format');
    // 1 where it was added turned off, and was not turned on yet.
    table.integer('is_new');
    // Of one that is of a chat or of one site: where it is, and since when it is in use (null: it is not). Null for any other.
    table.text('address');
    table.text('used_since');
  });
  // Null: of all sites. Written out, since a reference that is added later would have Knex make SQLite's table again.
  await sql.raw('ALTER TABLE webhooks ADD COLUMN site_id text REFERENCES sites (id) ON DELETE CASCADE');
  await sql.schema.alterTable('webhooks', (table) => void table.index('site_id'));
  // Accounts that want one; the others have no row.
  await sql.schema.createTable('digests', (table) => {
    table.text('account_id').primary().references('accounts.id').onDelete('CASCADE');
    // From when on the next one tells of changes.
    table.text('since').notNullable();
    table.text('next_at').notNullable().index();
  });
}
