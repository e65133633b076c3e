#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { addAccountCommands } from './cli/account.js';
import { addBackupCommand } from './cli/backup.js';
import { addChecksCommand } from './cli/checks.js';
import type { LoadChecks } from './cli/command.js';
import type { AtDesk } from './cli/desk.js';
import { addKeyCommands } from './cli/key.js';
import { addMigrateCommand } from './cli/migrate.js';
import { addOpenapiCommand } from './cli/openapi.js';
import { runProgram } from './cli/program.js';
import { addScanCommand } from './cli/scan.js';
import { addServeCommand, type ServeCommandOptions } from './cli/serve.js';
import { addSiteCommands } from './cli/site.js';
import { createTerminalOutput } from './cli/terminal.js';
import { readConfig } from './config.js';

const PROJECT = new URL('..', import.meta.url);

const output = createTerminalOutput();
const version = await readVersion();

function readDocument(): Promise<string> {
  return readFile(new URL('generated/openapi.json', PROJECT), 'utf8');
}

async function readVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('package.json', PROJECT), 'utf8')) as { version: string };
  return manifest.version;
}

// What a command works with is loaded when it is run: `checks` need not wait for a database driver.

const loadChecks: LoadChecks = async () => (await import('./checks/index.js')).CHECKS;

const atDesk: AtDesk = async (work) => (await import('./wiring/desk.js')).atDesk(work);

const migrate = async (): Promise<readonly string[]> =>
  (await import('./wiring/dispatching.js')).migrateAll(readConfig());

const backUp = async (file: string) =>
  (await import('./store/backup.js')).backUpDatabase(readConfig().databaseUrl, file);

const serve = async (options: ServeCommandOptions): Promise<void> => {
  const wiring = await import('./wiring/serve.js');
  await wiring.serve({ ...options, readDocument, version, print: (text) => output.data(text) });
};

const commands = [
  addServeCommand(serve),
  addMigrateCommand(migrate, output),
  addBackupCommand(backUp, output),
  addScanCommand(loadChecks, async () => (await import('./wiring/scanning.js')).createOneScan(), output),
  addAccountCommands(atDesk, output),
  addSiteCommands(atDesk, output),
  addKeyCommands(atDesk, output),
  addChecksCommand(loadChecks, output),
  addOpenapiCommand(readDocument, output),
];

process.exitCode = await runProgram(process.argv.slice(2), commands, output, version);
