/** The program of the npm package, which contains only the scanner. */
import { readFileSync } from 'node:fs';
import { refuseOldNode } from '../node-version.js';

const PACKAGE = new URL('..', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')) as {
  readonly engines: { readonly node: string };
  /** The version with the commit, if known. npm strips the commit from `version`. */
  readonly release: string;
};
refuseOldNode(manifest);

const { run } = await import('./program.js');
process.exitCode = await run({ project: PACKAGE, version: manifest.release });
