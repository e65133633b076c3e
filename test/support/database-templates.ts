/**
 * Databases at the current schema that are there to be copied, which costs a fraction of migrating one. Each is made once for all test
 * processes and gets its name when it is complete. The name tells the migrations apart, so that what another version left is not used.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/store/migrate.js';
import { databaseUrl } from './postgres.js';
import { connectRaw, type RawConnection } from './raw-connection.js';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations');

const NAME = `agent_readiness_template_${hashMigrations()}`;

function hashMigrations(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}

/** The file, in the temporary folder: that of the whole run, which goes with it. */
export async function sqliteTemplate(): Promise<string> {
  const file = join(tmpdir(), `${NAME}.db`);
  if (existsSync(file)) return file;
  const making = `${file}.${randomBytes(8).toString('hex')}`;
  await migrateDatabase(`sqlite:${making}`);
  renameSync(making, file);
  return file;
}

/** Any fixed number will do: it names the lock under which a server's template is made. */
const LOCK = 4_816_209;

const made = new Map<string, Promise<string>>();

/** The name of the server's template. It stays on the server, for the next run of these migrations. */
export function postgresTemplate(server: string): Promise<string> {
  const template = made.get(server) ?? makeOnce(server);
  made.set(server, template);
  return template;
}

async function makeOnce(server: string): Promise<string> {
  const connection = await connectRaw(server);
  try {
    await connection.exec(`SELECT pg_advisory_lock(${LOCK})`);
    const found = await connection.read(`SELECT 1 FROM pg_database WHERE datname = '${NAME}'`);
    if (found.length === 0) await make(connection, server);
    return NAME;
  } finally {
    await connection.close();
  }
}

/** Under another name until it is complete: nobody finds what an aborted run left. */
async function make(connection: RawConnection, server: string): Promise<void> {
  const making = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
  await connection.exec(`CREATE DATABASE ${making}`);
  await migrateDatabase(databaseUrl(server, making));
  await connection.exec(`ALTER DATABASE ${making} RENAME TO ${NAME}`);
}
