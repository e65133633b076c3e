/**
 * Databases at the current schema that are there to be copied, which costs a fraction of migrating one. Each is made once for all test
 * processes and gets its name when it is complete. The name contains the schema's, so that one of another schema is not used.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase } from '../../src/store/migrate.js';
import type { Dialect } from '../../src/store/query.js';
import { SCHEMA_NAMES } from '../../src/store/schema.js';
import { databaseUrl } from './postgres.js';
import { connectRaw, type RawConnection } from './raw-connection.js';

function templateName(dialect: Dialect): string {
  return `agent_readiness_template_${SCHEMA_NAMES[dialect].replaceAll(/\W/g, '_')}`;
}

/** The file, in the temporary folder: that of the whole run, which goes with it. */
export async function sqliteTemplate(): Promise<string> {
  const file = join(tmpdir(), `${templateName('sqlite')}.db`);
  if (existsSync(file)) return file;
  const making = `${file}.${randomBytes(8).toString('hex')}`;
  await migrateDatabase(`sqlite:${making}`);
  renameSync(making, file);
  return file;
}

/** Any fixed number will do: it names the lock under which a server's template is made. */
const LOCK = 4_816_209;

const made = new Map<string, Promise<string>>();

/** The name of the server's template. It stays on the server, for the next run with this schema. */
export function postgresTemplate(server: string): Promise<string> {
  const template = made.get(server) ?? makeOnce(server);
  made.set(server, template);
  return template;
}

async function makeOnce(server: string): Promise<string> {
  const name = templateName('postgres');
  const connection = await connectRaw(server);
  try {
    await connection.exec(`SELECT pg_advisory_lock(${LOCK})`);
    const found = await connection.read(`SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (found.length === 0) await make(connection, server, name);
    return name;
  } finally {
    await connection.close();
  }
}

/** Under another name until it is complete: nobody finds what an aborted run left. */
async function make(connection: RawConnection, server: string, name: string): Promise<void> {
  const making = `agent_readiness_test_${randomBytes(8).toString('hex')}`;
  await connection.exec(`CREATE DATABASE ${making}`);
  await migrateDatabase(databaseUrl(server, making));
  await connection.exec(`ALTER DATABASE ${making} RENAME TO ${name}`);
}
