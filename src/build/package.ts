/**
 * `node src/build/package.ts [--commit=COMMIT] [FOLDER]`: lays the npm package that holds the scanner and its command line into FOLDER,
 * by default `dist/package`, ready for `npm pack`: a bundle, so that nothing else is installed with it.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE, PROGRAM } from '../scanner/report/program.ts';
import { bundleScanner } from './compile.ts';
import { writeDeclarations } from './declarations.ts';
import { collectLicenses } from './licenses.ts';
import { nameRelease } from './release.ts';

const COMMIT = '--commit=';
const args = process.argv.slice(2);
const commit = args.find((argument) => argument.startsWith(COMMIT))?.slice(COMMIT.length) ?? '';
const folder = args.find((argument) => !argument.startsWith('--')) ?? join('dist', 'package');
const { version, description, license, engines, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
  readonly repository?: object | string;
};

const MANIFEST = {
  ...{ name: PACKAGE, version, release: nameRelease(version, commit), description, license },
  ...(repository !== undefined && { repository }),
  keywords: ['ai', 'agents', 'llms.txt', 'robots.txt', 'scanner'],
  ...{ type: 'module', engines, sideEffects: false },
  bin: { [PROGRAM]: 'dist/main.js' },
  exports: {
    '.': { types: './types/package/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const inputs = await bundleScanner(join(folder, 'dist'));
const main = join(folder, 'dist', 'main.js');
// npm makes a program for Windows of what this line names.
writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, 'utf8')}`, { mode: 0o755 });
// A bundle has its imports in an order of its own.
const index = join(folder, 'dist', 'index.js');
writeFileSync(index, `import './supported-node.js';\n${readFileSync(index, 'utf8')}`);
writeDeclarations('src/package/index.ts', join(folder, 'types'));
// Where the bundle looks for them: see ownPlaces.
for (const name of ['openapi.json', 'openapi-3.0.json', 'schema-org.json']) {
  cpSync(join('generated', name), join(folder, 'generated', name));
}
cpSync('src/package/README.md', join(folder, 'README.md'));
cpSync('LICENSE', join(folder, 'LICENSE'));
writeFileSync(join(folder, 'LICENSES-OF-OTHERS.txt'), collectLicenses(inputs));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`);
