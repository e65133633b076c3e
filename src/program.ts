import { addAccountCommands } from './cli/account.js';
import type { AdminServices, WithServices } from './cli/admin.js';
import type { ExitCode } from './cli/command.js';
import { addExclusionCommands } from './cli/exclusion.js';
import { addKeyCommands } from './cli/key.js';
import { runProgram } from './cli/program.js';
import { addDatabaseCommands, addServeCommand, type RestoreRequest } from './cli/service.js';
import { addSiteCommands } from './cli/site.js';
import { createTerminalOutput } from './cli/terminal.js';
import { type Config, readConfig, readScanConfig, readTerminalLook } from './config.js';
import { readOpenapi, scannerCommands, type ScannerCommandContext, type ProgramInfo } from './package/program.js';

/** Runs the service's command line. @returns the exit code of the process */
export function run(info: ProgramInfo): Promise<ExitCode> {
  const output = createTerminalOutput(readTerminalLook());
  return runCommandLine(process.argv.slice(2), { ...info, output, readConfig, readScanConfig });
}

/** What a command line needs from its process or test. */
interface CommandContext extends ScannerCommandContext {
  /** Called by commands that need it. @throws ConfigError naming every fault */
  readonly readConfig: () => Config;
}

/**
 * Runs one command line. `serve` ends when a signal stops the process. Each command loads its modules when it runs, so that `checks` does
 * not wait for a database driver.
 */
export function runCommandLine(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { output, readConfig, project, version } = context;
  const withAdmin: WithServices<AdminServices> = async (work) =>
    (await import('./wiring/admin.js')).withAdminServices(readConfig(), work);
  const database = {
    migrate: async () => (await import('./store/migrate.js')).migrateDatabase(readConfig().databaseUrl),
    backUp: async (file: string) => (await import('./store/backup.js')).backUpDatabase(readConfig().databaseUrl, file),
    restore: async (request: RestoreRequest) => (await import('./wiring/admin.js')).restore(readConfig(), request),
  };
  const print = (text: string): void => output.data(text);
  const readDocument = (): Promise<string> => readOpenapi(project, '3.1');
  const commands = [
    addServeCommand(async (options) =>
      (await import('./wiring/serve.js')).serve({ ...options, config: readConfig(), readDocument, version, print }),
    ),
    addDatabaseCommands((work) => work(database), output),
    addAccountCommands(withAdmin, output),
    addSiteCommands(withAdmin, output),
    addKeyCommands(withAdmin, output),
    addExclusionCommands(withAdmin, output),
    ...scannerCommands(context),
  ];
  return runProgram(args, commands, output, version);
}
