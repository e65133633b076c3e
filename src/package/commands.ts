import { readFile } from 'node:fs/promises';
import { addChecksCommand } from '../cli/checks.js';
import type { AddCommand, LoadChecks, Output } from '../cli/command.js';
import { addOpenapiCommand, type OasVersion } from '../cli/openapi.js';
import { addScanCommand } from '../cli/scan.js';
import type { Reach } from '../cli/scan-task.js';
import { readScanPassword, type ScanConfig } from '../config.js';

/** The environment of the scanner's commands. */
export interface ScannerSurroundings {
  readonly output: Output;
  /** @throws ConfigError naming every fault */
  readonly readScanConfig: () => ScanConfig;
  /** The folder that holds package.json and generated/. */
  readonly project: URL;
}

/** Returns the commands that need no service. Each loads its modules when it runs. */
export function scannerCommands(
  { output, readScanConfig, project }: ScannerSurroundings,
  version: string,
): readonly AddCommand[] {
  const loadChecks: LoadChecks = async () => (await import('../scanner/checks/index.js')).CHECKS;
  const prepareScan = async (reach: Reach) => {
    const { unusedProxy, ...config } = readScanConfig();
    if (unusedProxy !== null && reach.local === undefined) {
      output.note(`${unusedProxy} is set, but scans use no proxy: this one connects to the site directly.`);
    }
    return (await import('./one-scan.js')).createOneScan(config, version, reach);
  };
  const readPassword = async (): Promise<string> =>
    readScanPassword() ?? (await import('../cli/scan-reach.js')).askPassword();
  return [
    addScanCommand(loadChecks, prepareScan, output, readPassword),
    addChecksCommand(loadChecks, output),
    addOpenapiCommand((oas) => readOpenapi(project, oas), output),
  ];
}

/** The generated document, as text. */
export function readOpenapi(project: URL, oas: OasVersion): Promise<string> {
  return readFile(new URL(oas === '3.1' ? 'generated/openapi.json' : `generated/openapi-${oas}.json`, project), 'utf8');
}
