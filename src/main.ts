import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const PROJECT = new URL('..', import.meta.url);

// Before anything else is loaded: with an older Node the driver of SQLite ends the process without a word.
const manifest = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as { engines: { node: string } };
const wanted = manifest.engines.node.replace('>=', '');
if (process.versions.node.localeCompare(wanted, 'en', { numeric: true }) < 0) {
  process.stderr.write(`Node ${wanted} or newer is needed; this is ${process.versions.node}.\n`);
  process.exit(4);
}

// What V8 compiled stays in the build: the next start need not compile it again. Nothing is lost where it cannot be written.
enableCompileCache(fileURLToPath(new URL('cache', PROJECT)));

const [{ createTerminalOutput }, { readConfig, readScanConfig, readTerminalLook }, { runCommandLine }] =
  await Promise.all([import('./cli/terminal.js'), import('./config.js'), import('./wiring/command-line.js')]);
process.exitCode = await runCommandLine(process.argv.slice(2), {
  ...{ output: createTerminalOutput(readTerminalLook()), readConfig, readScanConfig },
  project: PROJECT,
});
