import { readFile } from 'node:fs/promises';
import type { AddCommand, ExitCode, LoadChecks, Output } from '../cli/command.js';
import { runProgram } from '../cli/program.js';
import { addChecksCommand, addOpenapiCommand, type OasVersion } from '../cli/reference.js';
import { addScanCommand } from '../cli/scan-command.js';
import type { SiteAccess } from '../cli/site-access.js';
import { createTerminalOutput } from '../cli/terminal.js';
import { readScanConfig, readScanPassword, readTerminalLook, type ScanConfig } from '../config.js';

/** Location and version of the program. */
export interface ProgramInfo {
  /** The folder that holds package.json and generated/. */
  readonly project: URL;
  /** With the commit, if known. */
  readonly version: string;
}

export function run({ project, version }: ProgramInfo): Promise<ExitCode> {
  const output = createTerminalOutput(readTerminalLook());
  const commands = scannerCommands({ output, readScanConfig, project, version });
  return runProgram(process.argv.slice(2), commands, output, version);
}

export interface ScannerCommandContext extends ProgramInfo {
  readonly output: Output;
  /** @throws ConfigError naming every fault */
  readonly readScanConfig: () => ScanConfig;
}

/** Returns the commands that need no service. Each loads its modules when it runs. */
export function scannerCommands(context: ScannerCommandContext): readonly AddCommand[] {
  const { output, readScanConfig, project } = context;
  const loadChecks: LoadChecks = async () => (await import('../scanner/checks/index.js')).CHECKS;
  const createDeps = async (access: SiteAccess) => {
    const config = readScanConfig();
    return (await import('./one-scan.js')).createOneScan(config, access);
  };
  const readPassword = async (): Promise<string> =>
    readScanPassword() ?? (await import('../cli/site-access.js')).askPassword();
  return [
    addScanCommand({ loadChecks, createDeps, output, readPassword }),
    addChecksCommand(loadChecks, output),
    addOpenapiCommand((oas) => readOpenapi(project, oas), output),
  ];
}

export function readOpenapi(project: URL, oas: OasVersion): Promise<string> {
  return readFile(new URL(oas === '3.1' ? 'generated/openapi.json' : `generated/openapi-${oas}.json`, project), 'utf8');
}
