import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import t, { type Test } from 'tap';
import ts from 'typescript';
import { openDatabase } from '../../src/store/open-database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { addCustomer, startLiveApi } from '../support/live-api.js';
import { PROJECT } from '../support/project.js';

const DOCUMENT = join(PROJECT, 'generated/openapi.json');

/** Clients as strangers make them: each generator writes into a folder of its own, where the program alongside this test joins it. */
const GENERATORS: Record<string, (folder: string) => Promise<void>> = {
  'openapi-fetch': async (folder) => {
    const nodes = await openapiTS(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenAPI3, { silent: true });
    writeFileSync(join(folder, 'schema.ts'), astToString(nodes));
  },
  'hey-api': async (folder) => {
    await createClient({
      input: DOCUMENT,
      output: { path: join(folder, 'generated'), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
  },
};

for (const [name, generate] of Object.entries(GENERATORS)) {
  t.test(`a client made by ${name} compiles strictly and does every operation`, async (t) => {
    const folder = makeFolder(t);
    await generate(folder);
    const program = join(folder, 'program.ts');
    copyFileSync(join(PROJECT, `test/clients/${name}.ts.txt`), program);
    t.strictSame(compileFaults(program), []);
    const compiled = join(folder, 'program.mjs');
    await build({ entryPoints: [program], outfile: compiled, bundle: true, format: 'esm', platform: 'node' });

    const database = `sqlite:${join(folder, 'client.db')}`;
    await migrateDatabase(database);
    const db = await openDatabase(database);
    t.teardown(() => db.close());
    const api = await startLiveApi(t, db);
    const { site, key } = await addCustomer(db);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [compiled, `http://127.0.0.1:${api.port}`, key, site.id],
      { cwd: PROJECT },
    );
    const run = { number: 1, score: 100, trigger: 'API', findings: 1 };
    t.strictSame(JSON.parse(stdout), {
      created: run,
      latest: run,
      past: run,
      absent: 'run_not_found',
      version: '1.0.0',
    });
  });
}

/** A folder that finds the project's packages, gone after the test. */
function makeFolder(t: Test): string {
  const cache = join(PROJECT, 'test/clients/node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'client-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

/** What the compiler says of a program and all that it imports, in strict mode. */
function compileFaults(program: string): string[] {
  const compiled = ts.createProgram([program], {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
  });
  return ts.getPreEmitDiagnostics(compiled).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
