import { connectRaw } from './raw-connection.js';

/** Drops every trigger of ours: what whoever owns the tables, or can write the SQLite file, can do. */
export async function dropGuards(url: string): Promise<void> {
  const raw = await connectRaw(url);
  try {
    const isSqlite = url.startsWith('sqlite:');
    const triggers = isSqlite
      ? `SELECT 'DROP TRIGGER ' || name AS sql FROM sqlite_master WHERE type = 'trigger'`
      : `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS sql FROM pg_trigger WHERE NOT tgisinternal`;
    for (const { sql } of await raw.read(triggers)) await raw.exec(String(sql));
  } finally {
    await raw.close();
  }
}
