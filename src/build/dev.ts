/**
 * Used by `make dev`. Compiles src (and test, with `--tests`) into dist/dev, or with `--watch` each file that is saved. Node's watch mode then
 * restarts the program that runs from there.
 */
import { cpSync, existsSync, rmSync, symlinkSync, watch } from 'node:fs';
import { extname, join } from 'node:path';
import { compileFiles, compileTree, minifyAssets } from './compile.ts';

const OUT = 'dist/dev';
const folders = process.argv.includes('--tests') ? ['src', 'test'] : ['src'];

if (process.argv.includes('--watch')) {
  for (const folder of folders)
    watch(folder, { recursive: true }, (_, name) => {
      if (name !== null && !name.includes('node_modules')) void compileSaved(join(folder, name));
    });
} else {
  rmSync(OUT, { recursive: true, force: true });
  await compileTree(folders, OUT);
  cpSync('package.json', join(OUT, 'package.json'));
  symlinkSync('../../generated', join(OUT, 'generated'));
}

/** If a file does not compile, esbuild prints the error and the program stays as it was. */
async function compileSaved(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const kind = extname(path);
  if (['.ts', '.tsx'].includes(kind)) await compileFiles([path], OUT).catch(() => undefined);
  else if (kind === '.md' || (path.includes('/assets/') && kind === '.svg')) cpSync(path, join(OUT, path));
  else if (path.includes('/assets/')) await minifyAssets(OUT).catch(() => undefined);
}
