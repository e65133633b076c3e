/**
 * Compiles TypeScript file by file into a tree with the layout of the project: `OUT/src`, `OUT/test`. `make check` checks types
 * separately. Node's type stripping runs this file and build.ts directly, before anything is compiled.
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

/** Folders whose node_modules belong to a separate package. */
const isOwnPackage = (path: string): boolean => path.split('/').includes('node_modules');

/**
 * @param folders folders of the project, such as `src` and `test`
 * @param out an empty folder inside the project, so that the compiled files find its node_modules
 */
export async function compileTree(folders: readonly string[], out: string): Promise<void> {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const sources = globSync(patterns, { exclude: isOwnPackage }).filter((path) => !path.endsWith('.d.ts'));
  await compileFiles(sources, out);
  for (const path of globSync(folders.map((folder) => `${folder}/*/package.json`))) linkPackages(dirname(path), out);
  for (const asset of globSync('src/web/kit/assets/*.{js,svg,woff2,ttf,png,ico}')) cpSync(asset, join(out, asset));
  await minifyStyles(globSync('src/web/kit/assets/*.css'), out);
}

/** Style sheets without comments and spaces, each one file with all that it imports. */
export async function minifyStyles(sources: readonly string[], out: string): Promise<void> {
  await build({
    entryPoints: [...sources],
    outdir: out,
    outbase: '.',
    minify: true,
    bundle: true,
    external: ['*.woff2'],
    target: ['chrome125', 'firefox128', 'safari17.5'],
    logLevel: 'warning',
  });
}

/** Each file becomes one, at the same place below `out`. */
export async function compileFiles(sources: readonly string[], out: string): Promise<void> {
  await build({
    entryPoints: [...sources],
    outdir: out,
    outbase: '.',
    ...TRANSPILE,
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}

/**
 * A folder that is a package has its own dependencies, perhaps installed later. The link lets compiled files find them as the
 * source does.
 */
function linkPackages(folder: string, out: string): void {
  const link = join(out, folder, 'node_modules');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(resolve(link)), resolve(folder, 'node_modules')), link);
}
