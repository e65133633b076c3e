import { createTerminalOutput } from './cli/terminal.js';
import type { ExitCode } from './cli/command.js';
import { readConfig, readScanConfig, readTerminalLook } from './config.js';
import type { Start } from './package/program.js';
import { runCommandLine } from './wiring/command-line.js';

/** The program of the service. It ends the process with what this resolves with. */
export function run(start: Start): Promise<ExitCode> {
  const output = createTerminalOutput(readTerminalLook());
  return runCommandLine(process.argv.slice(2), { ...start, output, readConfig, readScanConfig });
}
