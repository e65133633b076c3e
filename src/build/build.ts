/**
 * `node src/build/build.ts [--tests | --check]`: a build of the present source in `dist/ID`, where ID is the digest of what it is made
 * from, and everything that is generated from it. With `--tests` the tests are compiled beside it, and what was generated is taken as it
 * is; with `--check` generated/ is only compared. `dist/current` (`dist/current-tests`) names the newest. A build that is there already
 * is not made again, and one that a process runs on is never changed: it loads files from it as long as it lives.
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
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileTree } from './compile.ts';

const DIST = 'dist';
const isForTests = process.argv.includes('--tests');
const pointer = join(DIST, isForTests ? 'current-tests' : 'current');
const folders = isForTests ? ['src', 'test'] : ['src'];

const id = (isForTests ? 'tests-' : '') + digestInputs();
mkdirSync(DIST, { recursive: true });
if (!existsSync(join(DIST, id))) await makeBuild().catch(refuse);
writeWhole(pointer, `${id}\n`);
if (!isForTests) settleGenerated(join(DIST, id, 'generated'));
clearOldBuilds();

/** What is wrong with the specification is the contributor's to read, without our stack. */
function refuse(error: unknown): never {
  if (!(error instanceof Error && error.name === 'SpecError')) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

async function makeBuild(): Promise<void> {
  const making = join(DIST, `.${id}.${process.pid}`);
  try {
    await compileTree(folders, making);
    if (isForTests) cpSync('generated', join(making, 'generated'), { recursive: true });
    else await import(pathToFileURL(resolve(making, 'src/build/generate.js')).href);
    mkdirSync(join(making, 'pids'));
    renameSync(making, join(DIST, id));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Brings the project's generated/ up to date, or says with `--check` that it is not. */
function settleGenerated(made: string): void {
  const names = [...new Set([...readdirSync(made), ...readdirSync('generated')])].sort();
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const stale = names.filter((name) => read(join(made, name)) !== read(join('generated', name)));
  if (stale.length > 0 && process.argv.includes('--check')) {
    process.stderr.write(
      `generated/ is not current: ${stale.join(', ')}. Run "make generate" and commit the result.\n`,
    );
    process.exitCode = 1;
  } else if (stale.length > 0) {
    cpSync(made, 'generated', { recursive: true });
    for (const name of stale.filter((name) => !existsSync(join(made, name)))) rmSync(join('generated', name));
  }
}

/** Over all that a build is made from; what is generated follows from it. */
function digestInputs(): string {
  const patterns = [...folders, 'spec'].map((folder) => `${folder}/**/*`);
  const files = [...globSync(patterns, { exclude: ['**/node_modules'], withFileTypes: true })]
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const inputs = [
    'package-lock.json',
    'package.json',
    'tspconfig.yaml',
    ...(isForTests ? globSync('generated/*') : []),
  ];
  const hash = createHash('sha256');
  for (const file of [...inputs, ...files].sort()) {
    hash.update(`${file}\0`).update(createHash('sha256').update(readFileSync(file)).digest());
  }
  return hash.digest('hex').slice(0, 16);
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Removes the builds that are no longer named and that no living process runs on. */
function clearOldBuilds(): void {
  const named = ['current', 'current-tests'].map((name) => join(DIST, name)).filter(existsSync);
  const kept = new Set(named.map((path) => readFileSync(path, 'utf8').trim()));
  for (const { name } of readdirSync(DIST, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    if (!kept.has(name) && !name.startsWith('.') && !isInUse(join(DIST, name)))
      rmSync(join(DIST, name), { recursive: true });
  }
}

/** `pids/` holds a file for each process that runs on the build, named by its number. */
function isInUse(build: string): boolean {
  return existsSync(join(build, 'pids')) && readdirSync(join(build, 'pids')).some((pid) => isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
