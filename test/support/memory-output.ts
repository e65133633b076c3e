import type { Output } from '../../src/cli/command.js';
import { runProgram } from '../../src/cli/program.js';
import type { ScanSetup } from '../../src/cli/scan.js';
import { addScanCommand } from '../../src/cli/scan-command.js';
import { CHECKS } from '../../src/scanner/checks/index.js';

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

/** Fails a test in which it is called. */
export const never = () => Promise.reject(new Error('this was not to be done'));

export type ScanDeps = Awaited<ReturnType<ScanSetup['createDeps']>>;

interface Options extends Partial<ScanSetup> {
  readonly isTerminal?: boolean;
  readonly version?: string;
}

/** Runs `scan` with these dependencies, by default with every target allowed. */
export async function runScanCommand(
  args: readonly string[],
  deps: Partial<ScanDeps> | ((...reach: Parameters<ScanSetup['createDeps']>) => Partial<ScanDeps>),
  { isTerminal = true, version = '0.0.0-test', ...setup }: Options = {},
) {
  const output = new MemoryOutput({ isTerminal });
  const defaults: ScanDeps = { vetTarget: async () => null, scan: never, record: never, tryOverlay: never };
  const command = addScanCommand({
    loadChecks: async () => CHECKS,
    createDeps: async (...reach) => ({ ...defaults, ...(typeof deps === 'function' ? deps(...reach) : deps) }),
    ...{ output, readPassword: never },
    ...setup,
  });
  const exitCode = await runProgram(['scan', ...args], [command], output, version);
  return { exitCode, output };
}
