import type { Engine } from './databases.js';
import { connectRaw, type Row } from './raw-connection.js';
import { readFixture } from './project.js';

/** The schemas that a released program has made, oldest first: whoever runs one of those has such a database. */
export const RELEASED_SCHEMAS = ['0001-initial', '0002-application', '0003-automation'] as const;
export type ReleasedSchema = (typeof RELEASED_SCHEMAS)[number];

/** Makes the schema from the text that was written down when it was released, whatever has become of the migrations since. */
export async function createReleasedSchema(url: string, engine: Engine, last: ReleasedSchema): Promise<void> {
  const raw = await connectRaw(url);
  await raw.exec(readFixture(`schemas/${last}.${engine}.sql`));
  for (const [index, name] of RELEASED_SCHEMAS.entries()) {
    await raw.insert('knex_migrations', { name, batch: index + 1 });
    if (name === last) break;
  }
  await raw.insert('knex_migrations_lock', { is_locked: 0 });
  await raw.close();
}

const CATALOGUES: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ["SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name"],
  postgres: [
    `SELECT table_name, ordinal_position, column_name, data_type, is_nullable, column_default
       FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    `SELECT conrelid::regclass::text AS table_name, conname, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname`,
    `SELECT tgname, tgenabled, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace ORDER BY tgname`,
    `SELECT proname, pg_get_functiondef(oid) AS definition FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  ],
};

/** Everything that the schema consists of, as the engine's own catalogue tells it. */
export async function describeSchema(url: string, engine: Engine): Promise<Row[]> {
  const raw = await connectRaw(url);
  const rows: Row[] = [];
  for (const sql of CATALOGUES[engine]) rows.push(...(await raw.read(sql)));
  await raw.close();
  return rows;
}
