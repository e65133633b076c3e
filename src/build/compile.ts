/**
 * Compiles TypeScript once, file by file, into a tree that is laid out like the project: `OUT/src`, `OUT/test`. Types are checked
 * elsewhere (`make check`). This file and build.ts are run as they stand, by Node's type stripping, before anything is compiled.
 */
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** How one file is compiled. */
export const TRANSPILE = {
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  jsx: 'automatic',
  jsxImportSource: 'preact',
} as const;

/** Folders whose node_modules belong to a package of their own. */
const isOwnPackage = (path: string): boolean => path.split('/').includes('node_modules');

/**
 * @param folders of the project, such as `src` and `test`
 * @param out an empty folder below the project, so that the compiled files find its node_modules
 */
export async function compileTree(folders: readonly string[], out: string): Promise<void> {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const sources = globSync(patterns, { exclude: isOwnPackage }).filter((path) => !path.endsWith('.d.ts'));
  await build({
    entryPoints: sources,
    outdir: out,
    outbase: '.',
    ...TRANSPILE,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  for (const path of globSync(folders.map((folder) => `${folder}/*/package.json`))) linkPackages(dirname(path), out);
  for (const asset of globSync('src/web/assets/*.{css,js,svg}')) cpSync(asset, join(out, asset));
  cpSync('package.json', join(out, 'package.json'));
}

/** A folder that is a package has its own packages, installed perhaps later: the compiled files find them as the source does. */
function linkPackages(folder: string, out: string): void {
  const link = join(out, folder, 'node_modules');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(resolve(link)), resolve(folder, 'node_modules')), link);
}
