import { execFileSync } from 'node:child_process';
import { build, type Metafile } from 'esbuild';

/**
 * Returns the test files that import a changed file, directly or not. Changed is what differs from the branch `main`: commits, edits
 * and new files.
 */
export async function changedTests(files: readonly string[]): Promise<string[]> {
  const { inputs } = await importGraph(files);
  const changed = new Set(changedFiles());
  const reached = filesThatReach(changed, inputs);
  const chosen = files.filter((file) => reached.has(file));
  const unknown = [...changed].filter((file) => !(file in inputs));
  process.stdout.write(`${changed.size} files changed, ${chosen.length} test files import them.\n`);
  if (unknown.length > 0)
    process.stdout.write(`Imported by no test, so only "make test" covers: ${unknown.join(', ')}\n`);
  return chosen;
}

/** Returns `changed` and every file that imports one of them, directly or not. */
function filesThatReach(changed: ReadonlySet<string>, inputs: Metafile['inputs']): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  const reached = new Set<string>();
  const waiting = [...changed];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...(importers.get(file) ?? []));
  }
  return reached;
}

async function importGraph(files: readonly string[]): Promise<Metafile> {
  const { metafile } = await build({
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

function changedFiles(): string[] {
  const base = git('merge-base', 'HEAD', branchExists('main') ? 'main' : 'origin/main')[0] ?? 'HEAD';
  const edited = git('diff', '--name-only', base);
  return [...edited, ...git('ls-files', '--others', '--exclude-standard')];
}

function branchExists(name: string): boolean {
  return git('branch', '--list', name).length > 0;
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}
