import { addAccountCommands } from '../cli/account.js';
import type { AddCommand, ExitCode } from '../cli/command.js';
import type { WithAdminServices } from '../cli/admin.js';
import {
  addDatabaseCommands,
  addServeCommand,
  type DatabaseCommands,
  type ServeCommandOptions,
} from '../cli/service.js';
import { addExclusionCommands } from '../cli/exclusion.js';
import { addKeyCommands } from '../cli/key.js';
import { runProgram } from '../cli/program.js';
import { addSiteCommands } from '../cli/site.js';
import type { Config } from '../config.js';
import { readOpenapi, scannerCommands, type ScannerSurroundings } from '../package/program.js';

/** The environment of a command line: the process, or a test. */
export interface Surroundings extends ScannerSurroundings {
  /** Called by commands that need it. @throws ConfigError naming every fault */
  readonly readConfig: () => Config;
}

/** Runs one command line. `serve` ends when a signal stops the process. @returns the exit code of the process */
export function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output, version } = surroundings;
  return runProgram(args, addCommands(surroundings), output, version);
}

/** Each command loads its modules when it runs, so that `checks` need not wait for a database driver. */
function addCommands(surroundings: Surroundings): AddCommand[] {
  const { output, readConfig, project, version } = surroundings;
  const withAdmin: WithAdminServices = async (work) =>
    (await import('./admin.js')).withAdminServices(readConfig(), work);
  const database: DatabaseCommands = {
    migrate: async () => (await import('../store/migrate.js')).migrateDatabase(readConfig().databaseUrl),
    backUp: async (file) => (await import('../store/backup.js')).backUpDatabase(readConfig().databaseUrl, file),
    restore: async (request) => (await import('./admin.js')).restore(readConfig(), request),
  };
  const print = (text: string): void => output.data(text);
  const readDocument = (): Promise<string> => readOpenapi(project, '3.1');
  const serve = async (options: ServeCommandOptions): Promise<void> =>
    (await import('./serve.js')).serve({ ...options, config: readConfig(), readDocument, version, print });
  return [
    addServeCommand(serve),
    addDatabaseCommands(database, output),
    addAccountCommands(withAdmin, output),
    addSiteCommands(withAdmin, output),
    addKeyCommands(withAdmin, output),
    addExclusionCommands(withAdmin, output),
    ...scannerCommands(surroundings),
  ];
}
