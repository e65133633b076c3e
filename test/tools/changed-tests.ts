import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

/** Commits, edits and new files since the branch main. */
const LIST_CHANGED = `base=$(git merge-base HEAD main 2> /dev/null || git merge-base HEAD origin/main)
  git diff --name-only "$base"; git ls-files --others --exclude-standard`;

/** Returns the test files that import, directly or not, a file that differs from the branch main. */
export async function changedTests(files: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: files.map((file) => `import './${file}';`).join('\n'), resolveDir: process.cwd() },
    ...{ bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'error' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact', write: false, metafile: true },
  });
  const imports = Object.entries(metafile.inputs).flatMap(([importer, { imports: imported }]) =>
    imported.map(({ path }) => ({ importer, path })),
  );
  const importers = Map.groupBy(imports, ({ path }) => path);
  const changed = execFileSync('sh', ['-c', LIST_CHANGED], { encoding: 'utf8' }).split('\n').filter(Boolean);
  const reached = new Set(changed);
  // The loop also visits what it adds.
  for (const file of reached) for (const { importer } of importers.get(file) ?? []) reached.add(importer);
  const chosen = files.filter((file) => reached.has(file));
  const unknown = changed.filter((file) => !(file in metafile.inputs));
  process.stdout.write(`${changed.length} files changed, ${chosen.length} test files import them.\n`);
  if (unknown.length > 0)
    process.stdout.write(`Imported by no test, so only "make test" covers: ${unknown.join(', ')}\n`);
  return chosen;
}
