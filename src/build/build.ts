/**
 * `node src/build/build.ts [--generate | --check] [--tests] [--commit=COMMIT]`: bundles the source into `dist/ID`, where ID is the digest
 * of the inputs. `--generate` first updates generated/ and the documents; `--check` fails if they are out of date. `--tests` also compiles
 * source and tests file by file, and puts the bundle into `shipped/`. `--commit` adds the commit to the version. `dist/current` (with
 * `--tests`, `dist/current-tests`) contains the newest ID. Existing builds never change, since running processes load files from them.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, compileTree } from './compile.ts';
import { nameRelease } from './release.ts';

const DIST = 'dist';
/** File with the digest of the inputs from which generated/ was last made. */
const GENERATED_FROM = join(DIST, 'generated-from');
/** How many old builds remain, since running processes may still load files from them. */
const OLD_BUILDS_MAX = 3;
const {
  generate: isGenerating,
  check: isChecking,
  tests: isForTests,
  commit,
} = parseArgs({
  options: {
    generate: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    commit: { type: 'string', default: '' },
  },
}).values;
const pointer = join(DIST, isForTests ? 'current-tests' : 'current');
const folders = isForTests ? ['src', 'test'] : ['src'];
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const version = nameRelease(manifest.version, commit);

mkdirSync(DIST, { recursive: true });
if (isChecking || isGenerating) await generate().catch(reportSpecError);
const id = (isForTests ? 'tests-' : '') + digestInputs();
if (!existsSync(join(DIST, id))) await withTemporaryFolder(makeBuild);
replaceFile(pointer, `${id}\n`);
removeOldBuilds();

/** Prints errors in the specification without a stack trace. */
function reportSpecError(error: unknown): never {
  if (!(error instanceof Error && error.name === 'SpecError')) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function withTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(DIST, `.making.${process.pid}`);
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeBuild(folder: string): Promise<void> {
  const shipped = isForTests ? join(folder, 'shipped') : folder;
  await bundle(shipped);
  writeFileSync(join(shipped, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  cpSync('generated', join(shipped, 'generated'), { recursive: true });
  if (isForTests) {
    await compileTree(folders, folder);
    for (const name of ['package.json', 'generated'])
      cpSync(join(shipped, name), join(folder, name), { recursive: true });
  }
  renameSync(folder, join(DIST, id));
}

async function generate(): Promise<void> {
  if (read(GENERATED_FROM) === digestInputs()) return;
  await withTemporaryFolder(async (tree) => {
    await compileTree(['src'], tree);
    await import(pathToFileURL(resolve(tree, 'src/build/generate.js')).href);
    updateGenerated(join(tree, 'generated'));
  });
  if (!process.exitCode) replaceFile(GENERATED_FROM, digestInputs());
}

/** Updates generated/ from the fresh copy, or with `--check` reports that it is out of date. */
function updateGenerated(fresh: string): void {
  const names = [...new Set([...readdirSync(fresh), ...readdirSync('generated')])].sort();
  const stale = names.filter((name) => read(join(fresh, name)) !== read(join('generated', name)));
  if (stale.length > 0 && isChecking) {
    process.stderr.write(
      `generated/ is not current: ${stale.join(', ')}. Run "make generate" and commit the result.\n`,
    );
    process.exitCode = 1;
  } else if (stale.length > 0) {
    cpSync(fresh, 'generated', { recursive: true });
    for (const name of stale.filter((name) => !existsSync(join(fresh, name)))) rmSync(join('generated', name));
  }
}

function read(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function digestInputs(): string {
  const patterns = [...folders, 'spec', 'generated', 'test/examples'].map((folder) => `${folder}/**/*`);
  const files = globSync(patterns, { exclude: ['**/node_modules'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const inputs = new Set(['package-lock.json', 'package.json', 'tspconfig.yaml', 'docs/accuracy.md', ...files]);
  const hash = createHash('sha256').update(version);
  for (const file of [...inputs].sort()) {
    hash.update(`${file}\0`).update(createHash('sha256').update(readFileSync(file)).digest());
  }
  return hash.digest('hex').slice(0, 16);
}

function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function removeOldBuilds(): void {
  const pointers = ['current', 'current-tests'].map((name) => join(DIST, name)).filter(existsSync);
  const current = new Set(['package', 'dev', ...pointers.map((path) => readFileSync(path, 'utf8').trim())]);
  const old = readdirSync(DIST, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !current.has(entry.name) && !entry.name.startsWith('.'))
    .map(({ name }) => ({ path: join(DIST, name), modifiedMs: statSync(join(DIST, name)).mtimeMs }));
  const newestFirst = old.sort((one, other) => other.modifiedMs - one.modifiedMs);
  for (const { path } of newestFirst.slice(OLD_BUILDS_MAX)) rmSync(path, { recursive: true });
}
