import { countOf } from '../platform/counts.js';
import type { AddCommand, Output } from './command.js';
import { formatValue, JSON_OPTION } from './admin.js';

function describe(migrations: readonly string[]): string {
  const last = migrations.at(-1);
  if (last === undefined) return 'The database has the current schema.';
  return `The database was brought to the current schema: ${countOf(migrations.length, 'step')}, the last of them ${last}.`;
}

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
          output.data(formatValue({ migrations }, json, [describe(migrations)]));
        }),
      );
  };
}
