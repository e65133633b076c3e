import type { Config } from '../config.js';
import { InputError } from '../domain/input-error.js';
import type { Role } from '../domain/role.js';
import type { Dispatcher } from '../jobs/dispatcher.js';
import { createInProcessDispatcher } from '../jobs/in-process.js';
import { systemClock as clock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { migrateDatabase } from '../store/migrate.js';
import { openQueuePool } from '../store/queue-pool.js';

type DispatchingConfig = Pick<Config, 'databaseUrl' | 'scanConcurrency'>;

/**
 * What brings queued work to this process, or to others. It is to be started only where the role performs.
 * @throws InputError for a role that the database does not let several processes share
 */
export async function createDispatcher(config: DispatchingConfig, role: Role, logger: Logger): Promise<Dispatcher> {
  const { databaseUrl } = config;
  const concurrency = shareOf(role, config.scanConcurrency);
  if (isSqlite(databaseUrl)) {
    assertAlone(role);
    return createInProcessDispatcher({ concurrency, logger, clock });
  }
  // Loaded where it is used: it takes as long as everything else together.
  const { createPostgresDispatcher } = await import('../jobs/postgres.js');
  const openPool = (connectionsMax: number) => openQueuePool(databaseUrl, { connectionsMax });
  return createPostgresDispatcher({ concurrency, logger, openPool });
}

/**
 * Brings our tables and the queue's to the schema of this version, and answers the names of the migrations that were run. Ours come
 * last, so that whoever finds them current finds the queue's so too. Safe when several run at once.
 */
export async function migrateAll({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<readonly string[]> {
  if (isSqlite(databaseUrl)) return migrateDatabase(databaseUrl);
  const { migrateQueue } = await import('../jobs/queue-schema.js');
  const openPool = (connectionsMax: number) => openQueuePool(databaseUrl, { connectionsMax, isPatient: true });
  const ofQueue = await migrateQueue(openPool, createLogger('silent')).catch((cause: unknown) => {
    throw new Error(`the queue cannot be migrated: ${reasonOf(cause)}`, { cause });
  });
  return [...(await migrateDatabase(databaseUrl)), ...ofQueue];
}

function assertAlone(role: Role): void {
  if (role === 'all') return;
  throw new InputError(
    `--role ${role} needs PostgreSQL: one process does everything on SQLite. Leave --role out, or set DATABASE_URL to postgres://…`,
  );
}

/** Where people and API calls are answered too, half of the slots are left to them. */
function shareOf(role: Role, scanConcurrency: number): number {
  return role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency;
}

function isSqlite(databaseUrl: string): boolean {
  return databaseUrl.startsWith('sqlite:');
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
}
