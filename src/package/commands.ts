import { readFile } from 'node:fs/promises';
import { addChecksCommand } from '../cli/checks.js';
import type { AddCommand, LoadChecks, Output } from '../cli/command.js';
import { addOpenapiCommand } from '../cli/openapi.js';
import { addScanCommand, type Reach } from '../cli/scan.js';
import { readScanPassword, type ScanConfig } from '../config.js';

/** What the commands of the scanner work with. */
export interface ScannerSurroundings {
  readonly output: Output;
  /** @throws ConfigError naming every fault */
  readonly readScanConfig: () => ScanConfig;
  /** The folder that holds package.json and generated/. */
  readonly project: URL;
}

/** The commands that need no service. What each works with is loaded when it is run. */
export function scannerCommands(
  { output, readScanConfig, project }: ScannerSurroundings,
  version: string,
): readonly AddCommand[] {
  const loadChecks: LoadChecks = async () => (await import('../scanner/checks/index.js')).CHECKS;
  const readDocument = (): Promise<string> => readFile(new URL('generated/openapi.json', project), 'utf8');
  const prepareScan = async (reach: Reach) =>
    (await import('./one-scan.js')).createOneScan(readScanConfig(), version, reach);
  const readPassword = async (): Promise<string> =>
    readScanPassword() ?? (await import('../cli/password.js')).askPassword();
  return [
    addScanCommand(loadChecks, prepareScan, output, readPassword),
    addChecksCommand(loadChecks, output),
    addOpenapiCommand(readDocument, output),
  ];
}
