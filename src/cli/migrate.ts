import type { AddCommand, Output } from './command.js';
import { formatValue, JSON_OPTION } from './admin.js';

/** `migrate`: brings the database to the current schema. */
export function addMigrateCommand(migrate: () => Promise<readonly string[]>, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('migrate')
      .description('bring the database to the current schema; safe when several run at once')
      .option(...JSON_OPTION)
      .action(({ json }: { json?: true }) =>
        act(async () => {
          const migrations = await migrate();
          const text =
            migrations.length === 0
              ? ['The database has the current schema.']
              : migrations.map((name) => `Migrated: ${name}`);
          output.data(formatValue({ migrations }, json, text));
        }),
      );
  };
}
