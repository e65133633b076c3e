import type { Output } from '../../src/cli/command.js';
import { runProgram } from '../../src/cli/program.js';
import type { ScanSetup } from '../../src/cli/scan.js';
import { addScanCommand } from '../../src/cli/scan-command.js';
import { CHECKS } from '../../src/scanner/checks/index.js';

/** An output that keeps what a command wrote. */
export class MemoryOutput implements Output {
  stdout = '';
  stderr = '';
  readonly progressLines: string[] = [];
  readonly progress: ((text: string) => void) | null;
  readonly display = { hasColour: false, isUnicode: false, columns: 80 };

  constructor({ isTerminal = false } = {}) {
    this.progress = isTerminal ? (text) => this.progressLines.push(text) : null;
  }

  data(text: string): void {
    this.stdout += text;
  }

  note(text: string): void {
    this.stderr += `${text}\n`;
  }
}

const never = () => Promise.reject(new Error('this was not to be done'));

/** Runs `scan` with these dependencies. By default every target is allowed. */
export async function runScanCommand(
  args: readonly string[],
  deps: Partial<Awaited<ReturnType<ScanSetup['createDeps']>>>,
) {
  const output = new MemoryOutput({ isTerminal: true });
  const createDeps = async () => ({
    vetTarget: async () => null,
    scan: never,
    record: never,
    tryOverlay: never,
    ...deps,
  });
  const command = addScanCommand({ loadChecks: async () => CHECKS, createDeps, output, readPassword: never });
  const exitCode = await runProgram(['scan', ...args], [command], output, '0.0.0-test');
  return { exitCode, output };
}
