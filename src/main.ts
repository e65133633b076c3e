import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { refuseOldNode } from './node-version.js';

const PROJECT = new URL('..', import.meta.url);
/** Commands of the scanner, which load a third of the program. */
const SCANNER_COMMANDS = ['scan', 'checks', 'openapi'];

const manifest = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly version: string;
};
refuseOldNode(manifest);

const [command = ''] = process.argv.slice(2);
const isScannerCommand = SCANNER_COMMANDS.includes(command);
// The process lives for a second and retains most objects. Its heap then reaches its size at the second collection instead of the seventh.
if (isScannerCommand) setFlagsFromString('--semi-space-growth-factor=16');
// Caches in the build's folder, since others may write to the default below /tmp. If the folder is read-only, nothing is cached.
enableCompileCache(fileURLToPath(new URL('cache', PROJECT)));
const { run } = isScannerCommand ? await import('./package/program.js') : await import('./program.js');
process.exitCode = await run({ project: PROJECT, version: manifest.version });
