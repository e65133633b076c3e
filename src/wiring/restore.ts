import { revokeAccess } from '../app/data/revoke-access.js';
import { createExcludedHosts } from '../app/sites/excluded-hosts.js';
import type { Restored, RestoreRequest } from '../cli/service.js';
import type { Config } from '../config.js';
import { systemClock as clock } from '../platform/clock.js';
import { InputError } from '../platform/input-error.js';
import type { Database } from '../store/database.js';
import { migrateDatabase } from '../store/migrate.js';
import { openDatabase } from '../store/open-database.js';
import { readExcludedHosts, restoreDatabase } from '../store/backup.js';
import { explainUnguarded, refuseOtherSchema, schemaStatus } from '../store/schema-check.js';
import { explainToOperator, SCHEMA_BEHIND } from './admin.js';

/**
 * Restores a backup, and revokes the access that the backup would bring back.
 * @throws InputError for the wrong command with this database, or another version's database or backup
 */
export async function restore({ databaseUrl }: Config, { file, keepsKeys }: RestoreRequest): Promise<Restored> {
  const isSqlite = databaseUrl.startsWith('sqlite:');
  if (file === null) {
    if (isSqlite) throw new InputError('The database is SQLite: name the backup to put back.');
    await refuseOtherSchema(databaseUrl);
    return { replaced: null, ...(await revokeAccessAt(databaseUrl, keepsKeys, null)) };
  }
  if (!isSqlite) {
    throw new InputError(
      'The database is PostgreSQL: restore it by pg_restore or recovery, then say --after-pg-restore.',
    );
  }
  await refuseOtherSchema(databaseUrl);
  const excludedBefore = readExcludedHosts(databaseUrl);
  const { replaced, prepared } = await restoreDatabase(databaseUrl, {
    file,
    now: clock.now(),
    async prepare(copyUrl) {
      await migrateDatabase(copyUrl);
      return revokeAccessAt(copyUrl, keepsKeys, excludedBefore);
    },
  });
  return { replaced, ...prepared };
}

/** Excludes the hosts that the restored database does not, so that no scan visits them in the meantime. @returns these hosts */
async function excludeMissing(db: Database, hosts: readonly string[]): Promise<readonly string[]> {
  const excludedHosts = createExcludedHosts({ db, clock });
  const excluded = new Set((await excludedHosts.list()).map(({ host }) => host));
  const missing = hosts.filter((host) => !excluded.has(host));
  for (const host of missing) await excludedHosts.add(host);
  return missing;
}

/** @param excludedBefore hosts that the replaced database excluded; null if that is unknown */
async function revokeAccessAt(
  url: string,
  keepsKeys: boolean,
  excludedBefore: readonly string[] | null,
): Promise<Omit<Restored, 'replaced'>> {
  const db = await openDatabase(url);
  try {
    const status = await schemaStatus(db);
    if (status === 'behind') throw new Error(SCHEMA_BEHIND);
    if (status === 'unguarded') throw new Error(await explainUnguarded(db));
    const repeatedExclusions = excludedBefore && (await excludeMissing(db, excludedBefore));
    return { repeatedExclusions, ...(await revokeAccess({ db, clock }, keepsKeys)) };
  } catch (error) {
    throw await explainToOperator(error, db);
  } finally {
    await db.close();
  }
}
