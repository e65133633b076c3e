import type { ExitCode } from '../cli/command.js';
import { runProgram } from '../cli/program.js';
import { createTerminalOutput } from '../cli/terminal.js';
import { readScanConfig, readTerminalLook } from '../config.js';
import { scannerCommands } from './commands.js';

/** The place and version of the program. */
export interface Start {
  /** The folder that holds package.json and generated/. */
  readonly project: URL;
  /** With the commit where one is known. */
  readonly version: string;
}

/** Runs the program of the scanner alone. @returns the exit code of the process */
export function run({ project, version }: Start): Promise<ExitCode> {
  const output = createTerminalOutput(readTerminalLook());
  const commands = scannerCommands({ output, readScanConfig, project }, version);
  return runProgram(process.argv.slice(2), commands, output, version);
}
