import type { AddCommand, Output } from './command.js';
import { formatValue, JSON_OPTION } from './admin.js';

/** Copies the database into the file and returns its path and size. */
type BackUp = (file: string) => Promise<{ readonly file: string; readonly bytes: number }>;

/** `backup`: copies the SQLite database while the service runs. */
export function addBackupCommand(backUp: BackUp, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('backup')
      .description('copy the SQLite database into a new file while the service runs; for PostgreSQL use pg_dump')
      .argument('<file>', 'the file to create')
      .option(...JSON_OPTION)
      .action((file: string, { json }: { json?: true }) =>
        act(async () => {
          const backup = await backUp(file);
          const text = [
            `${backup.file}: ${backup.bytes} bytes, checked. It holds what the database holds: keep it secret.`,
          ];
          output.data(formatValue(backup, json, text));
        }),
      );
  };
}
