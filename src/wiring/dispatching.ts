import type { Config } from '../config.js';
import { InputError } from '../platform/input-error.js';
import type { Role } from '../platform/role.js';
import type { Dispatcher } from '../queue/dispatcher.js';
import { createInProcessDispatcher } from '../queue/in-process.js';
import type { Places } from '../queue/performer.js';
import { systemClock as clock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { migrateDatabase } from '../store/migrate.js';
import { reasonOf } from './reason.js';

type DispatchingConfig = Pick<Config, 'databaseUrl' | 'scanConcurrency'>;

/**
 * What brings queued work to this process, or to others. It is to be started only where the role performs.
 * @throws InputError for a role that the database does not let several processes share
 */
export async function createDispatcher(config: DispatchingConfig, role: Role, logger: Logger): Promise<Dispatcher> {
  const { databaseUrl } = config;
  const places = placesOf(role, config.scanConcurrency);
  if (isSqlite(databaseUrl)) {
    assertAlone(role);
    return createInProcessDispatcher({ places, logger, clock });
  }
  // Loaded where they are used: the queue takes as long as everything else together, and SQLite needs neither.
  const { createPostgresDispatcher } = await import('../queue/postgres.js');
  const { openQueuePool } = await import('../queue/queue-pool.js');
  const openPool = (connectionsMax: number) => openQueuePool(databaseUrl, { connectionsMax });
  return createPostgresDispatcher({ places, logger, openPool });
}

/**
 * Brings our tables and the queue's to the schema of this version, and answers the names of the migrations that were run. Ours come
 * last, so that whoever finds them current finds the queue's so too. Safe when several run at once.
 */
export async function migrateAll({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<readonly string[]> {
  if (isSqlite(databaseUrl)) return migrateDatabase(databaseUrl);
  const { migrateQueue } = await import('../queue/queue-schema.js');
  const { openQueuePool } = await import('../queue/queue-pool.js');
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

/** Messages cost next to nothing, but those to receivers that are down take their time: so many let the others pass. */
const DELIVERY_PLACES = 10;

/** Where people and API calls are answered too, half of the slots for scans are left to them. */
function placesOf(role: Role, scanConcurrency: number): Places {
  const run = role === 'all' ? Math.max(1, Math.floor(scanConcurrency / 2)) : scanConcurrency;
  return { run, delivery: DELIVERY_PLACES };
}

function isSqlite(databaseUrl: string): boolean {
  return databaseUrl.startsWith('sqlite:');
}
