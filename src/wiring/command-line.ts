import { addAccountCommands } from '../cli/account.js';
import { addBackupCommand } from '../cli/backup.js';
import type { AddCommand, ExitCode } from '../cli/command.js';
import type { WithAdminServices } from '../cli/admin.js';
import { addExclusionCommands } from '../cli/exclusion.js';
import { addKeyCommands } from '../cli/key.js';
import { addMigrateCommand } from '../cli/migrate.js';
import { addRestoreCommand, type RestoreRequest } from '../cli/restore.js';
import { runProgram } from '../cli/program.js';
import { addServeCommand, type ServeCommandOptions } from '../cli/serve.js';
import { addSiteCommands } from '../cli/site.js';
import { addVerifyCommand } from '../cli/verify.js';
import type { Config } from '../config.js';
import type { Start } from '../package/program.js';
import { readOpenapi, scannerCommands, type ScannerSurroundings } from '../package/commands.js';

/** What a command line works with: that of the process, or of a test. */
export interface Surroundings extends ScannerSurroundings, Start {
  /** Asked by the commands that need one. @throws ConfigError naming every fault */
  readonly readConfig: () => Config;
}

/** Runs one command line to its end and answers what the process is to end with. `serve` ends when a signal stops the process. */
export function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output, version, onWarm } = surroundings;
  return runProgram(args, addCommands(surroundings), output, version, onWarm);
}

/** What a command works with is loaded when it is run: `checks` need not wait for a database driver. */
function addCommands(surroundings: Surroundings): AddCommand[] {
  const { output, readConfig, project, version, onWarm } = surroundings;
  const withAdmin: WithAdminServices = async (work) =>
    (await import('./admin.js')).withAdminServices(readConfig(), work);
  const migrate = async () => (await import('../store/migrate.js')).migrateDatabase(readConfig().databaseUrl);
  const backUp = async (file: string) =>
    (await import('../store/backup.js')).backUpDatabase(readConfig().databaseUrl, file);
  const restore = async (request: RestoreRequest) => (await import('./restore.js')).restore(readConfig(), request);
  const print = (text: string): void => output.data(text);
  const readDocument = (): Promise<string> => readOpenapi(project, '3.1');
  const serve = async (options: ServeCommandOptions): Promise<void> =>
    (await import('./serve.js')).serve({ ...options, config: readConfig(), readDocument, version, print, onWarm });
  return [
    addServeCommand(serve),
    addMigrateCommand(migrate, output),
    addBackupCommand(backUp, output),
    addRestoreCommand(restore, output),
    addAccountCommands(withAdmin, output),
    addSiteCommands(withAdmin, output),
    addKeyCommands(withAdmin, output),
    addExclusionCommands(withAdmin, output),
    addVerifyCommand(withAdmin, output),
    ...scannerCommands(surroundings, version),
  ];
}
