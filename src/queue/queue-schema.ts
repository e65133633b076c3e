import { makeWorkerUtils, runMigrations, type WorkerUtils, type WorkerUtilsOptions } from 'graphile-worker';
import type { Logger } from '../platform/logging.js';
import { graphileLogger } from './graphile-logger.js';

/** Connections to PostgreSQL that bear being broken: neither the pool nor a connection of it throws an event. */
export type QueuePool = NonNullable<WorkerUtilsOptions['pgPool']>;

/** Opens a pool of so many connections at most. */
export type OpenQueuePool = (connectionsMax: number) => QueuePool;

/** graphile-worker's own name for it. Said here, so that no variable of the environment changes it. */
export const QUEUE_SCHEMA = 'graphile_worker';

/** The queue's tables are older than the code, or not there: `migrate` was not run. */
export class QueueSchemaBehind extends Error {
  override readonly name = 'QueueSchemaBehind';

  constructor() {
    super('the queue lacks the current schema: run "agent-readiness migrate"');
  }
}

/**
 * graphile-worker migrates whenever it is started or a job is to be added, but only `migrate` may change our database: where there
 * is anything to migrate, this refuses instead.
 */
const NEVER_MIGRATE: GraphileConfig.Plugin = {
  name: 'NeverMigrate',
  version: '1.0.0',
  worker: {
    middleware: {
      bootstrap: () => Promise.reject(new QueueSchemaBehind()),
      async migrate(next, { ctx, client }) {
        if ((await latestMigration(client)) < ctx.maxMigrationNumber) throw new QueueSchemaBehind();
        await next();
      },
    },
  },
};

/**
 * What adds jobs to the queue and cleans it.
 * @throws QueueSchemaBehind; what the database's driver throws when it is away
 */
export function openQueue(pgPool: QueuePool, logger: Logger): Promise<WorkerUtils> {
  return makeWorkerUtils({
    ...{ pgPool, schema: QUEUE_SCHEMA, logger: graphileLogger(logger) },
    preset: { plugins: [NEVER_MIGRATE] },
  });
}

/**
 * Brings the queue's own tables to the schema of the code and answers the names of the migrations that were run. Safe when several
 * run at once: each migration is a transaction that begins by taking its number.
 */
export async function migrateQueue(openPool: OpenQueuePool, logger: Logger): Promise<string[]> {
  const pgPool = openPool(1);
  const done: string[] = [];
  const report: GraphileConfig.Plugin = {
    name: 'ReportMigrations',
    version: '1.0.0',
    worker: {
      middleware: {
        async migrate(next, { ctx, client }) {
          const before = await latestMigration(client);
          await next();
          if (before < ctx.maxMigrationNumber) done.push(`${QUEUE_SCHEMA} ${ctx.maxMigrationNumber}`);
        },
      },
    },
  };
  try {
    await runMigrations({
      ...{ pgPool, schema: QUEUE_SCHEMA, logger: graphileLogger(logger) },
      preset: { plugins: [report] },
    });
    return done;
  } finally {
    await pgPool.end();
  }
}

async function latestMigration(client: Pick<QueuePool, 'query'>): Promise<number> {
  const { rows } = await client.query<{ id: number | null }>(`SELECT max(id) AS id FROM ${QUEUE_SCHEMA}.migrations`);
  return rows[0]?.id ?? 0;
}
