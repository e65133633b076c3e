import { reopen } from '../app/data/reopening.js';
import type { Restored, RestoreRequest } from '../cli/restore.js';
import type { Config } from '../config.js';
import { systemClock as clock } from '../platform/clock.js';
import { InputError } from '../platform/input-error.js';
import { catchUpWithMark } from '../store/database-mark.js';
import { migrateDatabase } from '../store/migrate.js';
import { openDatabase } from '../store/open-database.js';
import { restoreDatabase } from '../store/restore.js';
import { explainUnguarded, schemaStatus } from '../store/schema-status.js';
import { explainToOperator, SCHEMA_BEHIND } from './admin.js';

/**
 * Puts a backup back and reopens it.
 * @throws InputError for the wrong way with this database
 */
export async function restore({ databaseUrl }: Config, { file, isKeeping }: RestoreRequest): Promise<Restored> {
  const isSqlite = databaseUrl.startsWith('sqlite:');
  if (file === null) {
    if (isSqlite) throw new InputError('The database is SQLite: name the backup to put back.');
    return { replaced: null, ...(await reopenAt(databaseUrl, isKeeping)) };
  }
  if (!isSqlite) {
    throw new InputError(
      'The database is PostgreSQL: restore it by pg_restore or recovery, then say --after-pg-restore.',
    );
  }
  const { replaced, prepared } = await restoreDatabase(databaseUrl, {
    ...{ file, now: clock.now() },
    async prepare(copyUrl) {
      await migrateDatabase(copyUrl);
      return reopenAt(copyUrl, isKeeping, databaseUrl);
    },
  });
  return { replaced, ...prepared };
}

/** @param placeUrl where a copy of SQLite goes */
async function reopenAt(url: string, isKeeping: boolean, placeUrl?: string): ReturnType<typeof reopen> {
  const db = await openDatabase(url);
  try {
    const status = await schemaStatus(db);
    if (status === 'behind') throw new Error(SCHEMA_BEHIND);
    if (status === 'unguarded') throw new Error(await explainUnguarded(db));
    if (placeUrl !== undefined) await catchUpWithMark(db, placeUrl);
    return await reopen(db, { clock, isKeeping });
  } catch (error) {
    throw await explainToOperator(error, db);
  } finally {
    await db.close();
  }
}
