import type { Reopened } from '../app/data/reopening.js';
import { InputError } from '../platform/input-error.js';
import { formatValue, JSON_OPTION } from './admin.js';
import type { AddCommand, Output } from './command.js';

export interface RestoreRequest {
  /** The backup of SQLite; null: PostgreSQL was restored already. */
  readonly file: string | null;
  readonly isKeeping: boolean;
}

export interface Restored extends Reopened {
  /** The database that was there before; null: there was none, or it is PostgreSQL. */
  readonly replaced: string | null;
}

interface RestoreOptions {
  readonly afterPgRestore?: true;
  readonly keepKeys?: true;
  readonly json?: true;
}

/** `restore`: puts a backup back, and ends what the copy lets in. */
export function addRestoreCommand(restore: (request: RestoreRequest) => Promise<Restored>, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('restore')
      .description(
        'put a backup back while the service is stopped; ends sessions, sign-in links, API keys and deploy hooks',
      )
      .argument('[file]', 'a copy that "backup" made: takes the place of the SQLite database, which is kept next to it')
      .option('--after-pg-restore', 'PostgreSQL was restored by pg_restore or recovery: do the rest')
      .option(
        '--keep-keys',
        "leave API keys and deploy hooks alive, on the operator's word that none was revoked since",
      )
      .option(...JSON_OPTION)
      .action((file: string | undefined, { afterPgRestore, keepKeys, json }: RestoreOptions) =>
        act(async () => {
          if ((file === undefined) !== (afterPgRestore === true)) {
            throw new InputError('Name the backup of SQLite, or say --after-pg-restore.');
          }
          const restored = await restore({ file: file ?? null, isKeeping: keepKeys === true });
          output.data(formatValue(restored, json, describe(restored)));
        }),
      );
  };
}

function describe({ replaced, ...restored }: Restored): string[] {
  const { epoch, sessionsEnded, signInLinksEnded, keysRevoked, deployHooksRemoved } = restored;
  return [
    `Restored. Epoch ${epoch} has begun; runs continue after the last number that survived.`,
    `Ended: ${sessionsEnded} sessions, ${signInLinksEnded} sign-in links, ${keysRevoked} API keys, ${deployHooksRemoved} deploy hooks.`,
    ...(replaced === null ? [] : [`What was there before is in ${replaced}.`]),
  ];
}
