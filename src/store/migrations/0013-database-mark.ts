import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Dialect } from '../query.js';

const ID_BYTES = 10;

/** What tells an older copy of the SQLite file from the file itself: see store/database-mark.ts. PostgreSQL has no file to copy. */
export async function addDatabaseMark(sql: Knex, dialect: Dialect): Promise<void> {
  if (dialect !== 'sqlite') return;
  await sql.schema.createTable('database_mark', (table) => {
    // Of this database and its copies, so that the mark of another one that lay here is not taken for its own.
    table.text('id').primary();
    table.integer('number').notNullable();
    // The day on which it last moved.
    table.text('day').notNullable();
  });
  await sql('database_mark').insert({ id: randomBytes(ID_BYTES).toString('hex'), number: 0, day: '' });
}
