/**
 * `make dev`: compiles src (and test, with `--tests`) into dist/dev, and then each file that is saved. Without `--watch` it ends after the
 * first. What runs from there is started again by Node's own watch.
 */
import { cpSync, existsSync, globSync, mkdirSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { compileFiles, compileTree, minifyStyles } from './compile.ts';

const OUT = 'dist/dev';
const folders = process.argv.includes('--tests') ? ['src', 'test'] : ['src'];

if (process.argv.includes('--watch')) {
  // A build that a process runs on is not cleared away by another.
  writeFileSync(join(OUT, 'pids', String(process.pid)), '');
  for (const folder of folders)
    watch(folder, { recursive: true }, (_, name) => {
      if (name !== null && !name.includes('node_modules')) void compileSaved(join(folder, name));
    });
} else {
  rmSync(OUT, { recursive: true, force: true });
  await compileTree(folders, OUT);
  mkdirSync(join(OUT, 'pids'));
  cpSync('package.json', join(OUT, 'package.json'));
  symlinkSync('../../generated', join(OUT, 'generated'));
}

/** A file that does not compile is said by esbuild, and the program stays as it was. */
async function compileSaved(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const kind = extname(path);
  if (['.ts', '.tsx'].includes(kind)) await compileFiles([path], OUT).catch(() => undefined);
  else if (kind === '.css') await minifyStyles(globSync('src/web/kit/assets/*.css'), OUT).catch(() => undefined);
  else if (path.includes('/assets/') && ['.js', '.svg'].includes(kind)) cpSync(path, join(OUT, path));
}
