import { createTerminalOutput } from './cli/terminal.js';
import type { ExitCode } from './cli/command.js';
import { readConfig, readScanConfig, readTerminalLook } from './config.js';
import type { Start } from './package/program.js';
import { runCommandLine } from './wiring/command-line.js';

/** Runs the program of the service. @returns the exit code of the process */
export function run(start: Start): Promise<ExitCode> {
  const output = createTerminalOutput(readTerminalLook());
  return runCommandLine(process.argv.slice(2), { ...start, output, readConfig, readScanConfig });
}
