import type { Knex } from 'knex';

/** Reports at addresses that anyone may open. Versions beside this schema show none of them, and draw no pictures. */
export async function addSharedReports(sql: Knex): Promise<void> {
  // By their owners, until they turn it off.
  await sql.schema.createTable('shared_reports', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    // Of which run; 0: always the latest.
    table.integer('number').notNullable();
    // Not hashed: it is published wherever its owner puts it.
    table.text('token').notNullable().unique();
    table.text('created_at').notNullable();
    // The preview as PNG, and the tag of its content; null until it is drawn.
    table.binary('picture');
    table.text('picture_tag');
    table.primary(['site_id', 'number']);
  });
  // Results of free scans, by whoever asked, for some days. Of one result there is one.
  await sql.schema.createTable('shared_results', (table) => {
    table.text('token').primary();
    table.text('hostname').notNullable();
    table.text('finished_at').notNullable();
    table.text('expires_at').notNullable().index();
    // JSON, gzip.
    table.binary('body').notNullable();
    table.binary('picture');
    table.text('picture_tag');
    table.unique(['hostname', 'finished_at']);
  });
}
