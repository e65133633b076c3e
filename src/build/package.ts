/**
 * `node src/build/package.ts [--commit=COMMIT] [FOLDER]`: writes the npm package of the scanner and its command line into FOLDER, by default
 * `dist/package`, ready for `npm pack`. It is a bundle without dependencies.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { PROGRAM } from '../scanner/report/program.ts';
import { bundleScanner } from './compile.ts';
import { nameRelease } from './release.ts';

const DECLARATION_OPTIONS: ts.CompilerOptions = {
  declaration: true,
  isolatedDeclarations: true,
  target: ts.ScriptTarget.ES2022,
};

const LICENSE_FILE = /^(license|licence|copying|notice)(-mit)?(\.(md|txt|markdown))?$/i;

/** License text from SPDX, for packages that name the license without its text. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the
above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF
OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const {
  values: { commit },
  positionals: [folder = join('dist', 'package')],
} = parseArgs({ options: { commit: { type: 'string', default: '' } }, allowPositionals: true });
const { version, description, license, engines, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: object;
  readonly repository?: object | string;
};

const MANIFEST = {
  name: PROGRAM,
  version,
  release: nameRelease(version, commit),
  description,
  license,
  ...(repository !== undefined && { repository }),
  keywords: ['ai', 'agents', 'llms.txt', 'robots.txt', 'scanner'],
  type: 'module',
  engines,
  publishConfig: { access: 'public', provenance: true },
  sideEffects: false,
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
// npm reads this line to create a launcher for Windows.
writeFileSync(main, `#!/usr/bin/env node\n${readFileSync(main, 'utf8')}`, { mode: 0o755 });
// Must come first, but a bundle reorders imports.
const index = join(folder, 'dist', 'index.js');
writeFileSync(index, `import './supported-node.js';\n${readFileSync(index, 'utf8')}`);
writeDeclarations('src/package/index.ts', join(folder, 'types'));
// The bundle finds them here: see keepModuleUrls.
for (const name of ['openapi.json', 'openapi-3.0.json', 'schema-org.json']) {
  cpSync(join('generated', name), join(folder, 'generated', name));
}
cpSync('src/package/README.md', join(folder, 'README.md'));
cpSync('LICENSE', join(folder, 'LICENSE'));
writeFileSync(join(folder, 'LICENSES-OF-OTHERS.txt'), collectLicenses(inputs));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(MANIFEST, null, 2)}\n`);

/**
 * Writes the declarations of a module and of the modules that they import. They must not import other packages, which are not installed.
 * @param entry a file in `src`
 * @param out the folder that corresponds to `src`
 * @throws Error if a declaration needs type inference, or imports another package
 */
function writeDeclarations(entry: string, out: string): void {
  const written = new Set<string>();
  const write = (file: string): void => {
    if (written.has(file)) return;
    written.add(file);
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions: DECLARATION_OPTIONS,
      reportDiagnostics: true,
    });
    for (const { messageText } of diagnostics) {
      throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    const target = join(out, relative('src', file)).replace(/\.ts$/, '.d.ts');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
    for (const [, name = ''] of outputText.matchAll(/\bfrom ['"]([^'"]+)['"]/g)) {
      if (!name.startsWith('.')) throw new Error(`${file}: its declarations import the package ${name}`);
      write(relative('.', resolve(dirname(file), name)).replace(/\.js$/, '.ts'));
    }
  };
  write(entry);
}

/**
 * Returns the name, version, license and license text of each package in a bundle.
 * @param inputs the bundled files, relative to the project
 * @throws Error if a package has no license text, and its license is not ISC
 */
function collectLicenses(inputs: readonly string[]): string {
  const folders = inputs.flatMap((path) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)]
    .sort()
    .map(describeLicense)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function describeLicense(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly author?: string | { readonly name: string };
  };
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  if (texts.length === 0 && license === 'ISC' && author !== undefined) {
    texts.push(`\nCopyright (c) ${typeof author === 'string' ? author : author.name} and contributors\n\n${ISC}\n`);
  }
  if (license === undefined || texts.length === 0) throw new Error(`${folder} has no license text`);
  return `${name} ${version}: ${license}\n${texts.join('')}`;
}
