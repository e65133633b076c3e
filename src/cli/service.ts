import { Option } from 'commander';
import type { RevokedAccess } from '../app/data/revoke-access.js';
import { InputError } from '../platform/errors.js';
import { PROGRAM } from '../scanner/report/program.js';
import { commandFactory, operatorCommands, printLines } from './admin.js';
import type { AddCommand } from './command.js';

/** Work of a process: everything, only answering requests, or only queued work. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface ServeCommandOptions {
  readonly role: Role;
  readonly isDemo: boolean;
}

/** Adds `serve`, which runs the service until a stop signal. */
export function addServeCommand(serve: (options: ServeCommandOptions) => Promise<void>): AddCommand {
  return (program, runAction) => {
    program
      .command('serve')
      .description('start the service; run migrate first')
      .option('--demo', 'on the first start, also create a demo account, two sites, a key and runs')
      .addOption(
        new Option('--role <role>', 'api answers requests, worker does queued work (on PostgreSQL); all does both')
          .choices(ROLES)
          .default('all'),
      )
      .action(({ demo, role }: { demo?: true; role: Role }) => runAction(() => serve({ role, isDemo: demo === true })));
  };
}

export interface RestoreRequest {
  /** The SQLite backup; null if PostgreSQL is already restored. */
  readonly file: string | null;
  readonly keepsKeys: boolean;
}

export interface Restored extends RevokedAccess {
  /** Path of the replaced database; null if there was none, or for PostgreSQL. */
  readonly replaced: string | null;
}

export interface DatabaseCommands {
  readonly migrate: () => Promise<readonly string[]>;
  readonly backUp: (file: string) => Promise<{ readonly file: string; readonly bytes: number }>;
  readonly restore: (request: RestoreRequest) => Promise<Restored>;
}

const command = commandFactory<DatabaseCommands>();

export const addDatabaseCommands = operatorCommands(null, {
  migrate: command(
    'bring the database to the current schema; several may safely run at once',
    {},
    async ({ migrate }) => {
      const migrations = await migrate();
      const last = migrations.at(-1);
      const text = last === undefined ? 'The database has the current schema.' : `Created the schema ${last}.`;
      return printLines({ migrations }, [text]);
    },
  ),
  backup: command(
    'copy the SQLite database into a new file while the service runs; for PostgreSQL use pg_dump',
    { required: { '<file>': 'the file to create' } },
    async ({ backUp }, { file }: { file: string }) => {
      const backup = await backUp(file);
      return printLines(backup, [
        `${backup.file}: ${backup.bytes} bytes, checked. It contains everything in the database: keep it secret.`,
      ]);
    },
  ),
  restore: command(
    'restore a backup while the service is stopped; ends sessions, sign-in links, API keys and deploy hooks, and turns off badges and public reports',
    {
      optional: {
        '[file]': 'a copy that "backup" made; replaces the SQLite database, and leaves the old one next to it',
        '--after-pg-restore': 'finish a restore of PostgreSQL by pg_restore or recovery',
        '--keep-keys': 'keep API keys and deploy hooks; only if you know that none was revoked since the backup',
      },
    },
    async (
      { restore },
      { file, afterPgRestore, keepKeys }: { file?: string; afterPgRestore?: true; keepKeys?: true },
    ) => {
      if ((file === undefined) !== (afterPgRestore === true)) {
        throw new InputError('Name the SQLite backup, or use --after-pg-restore.');
      }
      const restored = await restore({ file: file ?? null, keepsKeys: keepKeys === true });
      return printLines(restored, describeRestored(restored));
    },
  ),
});

function describeRestored({ replaced, ...restored }: Restored): string[] {
  const { sessionsEnded, signInLinksEnded, keysRevoked, deployHooksRemoved } = restored;
  const { badgesTurnedOff, reportsTurnedOff, excludedHosts } = restored;
  return [
    'Restored. Run numbers continue after the last restored one.',
    `Ended: ${sessionsEnded} sessions, ${signInLinksEnded} sign-in links, ${keysRevoked} API keys, ${deployHooksRemoved} deploy hooks.`,
    `Turned off: ${badgesTurnedOff} badges, ${reportsTurnedOff} public reports. Their owners can turn them on again.`,
    `Excluded hosts: ${excludedHosts.join(', ') || 'none'}.`,
    'Exclusions made since the backup are lost. Before you start the service, repeat each with "exclusion add HOST".',
    ...(replaced === null
      ? []
      : [
          `The replaced database is in ${replaced}.`,
          `To list its exclusions: DATABASE_URL='sqlite:${replaced}' ${PROGRAM} exclusion list`,
        ]),
  ];
}
