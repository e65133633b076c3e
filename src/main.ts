import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { refuseOldNode } from './node-version.js';

const PROJECT = new URL('..', import.meta.url);

const manifest = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as { engines: { node: string } };
refuseOldNode(manifest);

// What V8 compiled stays in the build: the next start need not compile it again. Nothing is lost where it cannot be written.
enableCompileCache(fileURLToPath(new URL('cache', PROJECT)));

const [{ createTerminalOutput }, { readConfig, readScanConfig, readTerminalLook }, { runCommandLine }] =
  await Promise.all([import('./cli/terminal.js'), import('./config.js'), import('./wiring/command-line.js')]);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...{ output: createTerminalOutput(readTerminalLook()), readConfig, readScanConfig },
  project: PROJECT,
});
