import { Option } from 'commander';
import type { RevokedAccess } from '../app/data/revoke-access.js';
import { InputError } from '../platform/errors.js';
import { PROGRAM } from '../scanner/report/program.js';
import { commandsOf, operatorCommands, printLines } from './admin.js';
import type { AddCommand } from './command.js';

/** What a process does: everything; only answer requests; or only perform queued work. */
export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface ServeCommandOptions {
  readonly role: Role;
  readonly isDemo: boolean;
}

/** `serve`: starts the service; ends on a stop signal. */
export function addServeCommand(serve: (options: ServeCommandOptions) => Promise<void>): AddCommand {
  return (program, runAction) => {
    program
      .command('serve')
      .description('start the service; run migrate first')
      .option('--demo', 'on the first start, also create a demo account, two sites, a key and runs')
      .addOption(
        new Option('--role <role>', 'answer requests (api), perform queued work (worker), or both: on PostgreSQL')
          .choices(ROLES)
          .default('all'),
      )
      .action(({ demo, role }: { demo?: true; role: Role }) => runAction(() => serve({ role, isDemo: demo === true })));
  };
}

export interface RestoreRequest {
  /** The backup of SQLite; null if PostgreSQL is already restored. */
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

const command = commandsOf<DatabaseCommands>();

export const addDatabaseCommands = operatorCommands(null, {
  migrate: command(
    'bring the database to the current schema; safe when several run at once',
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
        `${backup.file}: ${backup.bytes} bytes, checked. It holds what the database holds: keep it secret.`,
      ]);
    },
  ),
  restore: command(
    'put a backup back while the service is stopped; ends sessions, sign-in links, API keys and deploy hooks, and turns off badges and public reports',
    {
      optional: {
        '[file]': 'a copy that "backup" made: takes the place of the SQLite database, which is kept next to it',
        '--after-pg-restore': 'PostgreSQL was restored by pg_restore or recovery: do the rest',
        '--keep-keys': "leave API keys and deploy hooks alive, on the operator's word that none was revoked since",
      },
    },
    async (
      { restore },
      { file, afterPgRestore, keepKeys }: { file?: string; afterPgRestore?: true; keepKeys?: true },
    ) => {
      if ((file === undefined) !== (afterPgRestore === true)) {
        throw new InputError('Name the backup of SQLite, or say --after-pg-restore.');
      }
      const restored = await restore({ file: file ?? null, keepsKeys: keepKeys === true });
      return printLines(restored, describe(restored));
    },
  ),
});

function describe({ replaced, ...restored }: Restored): string[] {
  const { sessionsEnded, signInLinksEnded, keysRevoked, deployHooksRemoved } = restored;
  const { badgesTurnedOff, reportsTurnedOff, excludedHosts } = restored;
  return [
    'Restored. Runs continue after the last number that survived.',
    `Ended: ${sessionsEnded} sessions, ${signInLinksEnded} sign-in links, ${keysRevoked} API keys, ${deployHooksRemoved} deploy hooks.`,
    `Turned off: ${badgesTurnedOff} badges, ${reportsTurnedOff} public reports. Their owners can turn them on again.`,
    `Excluded hosts: ${excludedHosts.join(', ') || 'none'}.`,
    'Exclusions made since the backup are lost. Before you start the service, repeat each with "exclusion add HOST".',
    ...(replaced === null
      ? []
      : [
          `What was there before is in ${replaced}.`,
          `To list the exclusions of the replaced database: DATABASE_URL='sqlite:${replaced}' ${PROGRAM} exclusion list`,
        ]),
  ];
}
