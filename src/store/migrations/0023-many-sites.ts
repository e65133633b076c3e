import type { Knex } from 'knex';

/** What owners of many sites do with them at once. */
export async function addManySites(sql: Knex): Promise<void> {
  await sql.schema.alterTable('sites', (table) => {
    // JSON: the owner's own words for it, in order; null: none.
    table.text('tags');
    // Since when alerts of it are not sent by e-mail; null: they are, where the account has them.
    table.text('mail_muted_at');
  });
  // The list of sites that an account gave last, with what comes of each line.
  await sql.schema.createTable('site_lists', (table) => {
    table.text('account_id').primary().references('accounts.id').onDelete('CASCADE');
    // Another for each list, so that one is not added in place of another.
    table.text('id').notNullable();
    // JSON, in the order in which they were given.
    table.text('lines').notNullable();
    table.text('created_at').notNullable().index();
    // Null until its sites were added.
    table.text('added_at');
  });
}
