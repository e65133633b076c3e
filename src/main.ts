import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { loadCompiled } from './compiled.js';
import { refuseOldNode } from './node-version.js';

type Program = typeof import('./program.js');

const PROJECT = new URL('..', import.meta.url);
/** Commands whose program is a third of the whole. */
const OF_SCANNER = ['scan', 'checks', 'openapi'];

const manifest = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly version: string;
};
refuseOldNode(manifest);

const [command = ''] = process.argv.slice(2);
const isOfScanner = OF_SCANNER.includes(command);
// It lives for a second and keeps most of what it makes: at the second collection there is room for all of it, instead of at the seventh.
if (isOfScanner) setFlagsFromString('--semi-space-growth-factor=16');
const compiled = isOfScanner
  ? loadCompiled<Program>('package/program', command, import.meta.url)
  : loadCompiled<Program>('program', command === 'serve' ? command : 'other', import.meta.url);
const { run } = compiled?.program ?? (await import('./program.js'));
process.exitCode = await run({ project: PROJECT, version: manifest.version, onWarm: compiled?.keep });
