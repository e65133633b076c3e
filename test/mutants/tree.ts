import { cpSync, linkSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { TRANSPILE } from '../../src/build/compile.js';

/** The build that this file was compiled into: the project without a mutant. */
export const CLEAN = join(import.meta.dirname, '..', '..');
const COMPILED = ['src', 'test'];

/** `src/a.ts` → `src/a.js`; what is not compiled keeps its name. */
export function compiledName(file: string): string {
  return file.endsWith('.d.ts') ? file : file.replace(/\.tsx?$/, '.js');
}

/** @throws where the source is not TypeScript */
export async function transpile(file: string, source: string): Promise<string> {
  const { code } = await transform(source, {
    ...TRANSPILE,
    loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
    tsconfigRaw: readFileSync('tsconfig.json', 'utf8'),
    logLevel: 'silent',
  });
  return code;
}

/** The files below a folder, with it, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A tree of a worker's own, in which one module at a time is another. Hard links, since Node would follow a symbolic one back. */
export class WorkerTree {
  constructor(readonly folder: string) {
    cpSync(CLEAN, folder, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.js') });
    for (const root of COMPILED) {
      for (const file of filesBelow(join(CLEAN, root))) {
        if (file.endsWith('.js')) linkSync(file, join(folder, file.slice(CLEAN.length)));
      }
    }
  }

  /** A link must go before the file is written, or it would change in every tree. */
  put(file: string, code: string): void {
    const path = join(this.folder, compiledName(file));
    unlinkSync(path);
    writeFileSync(path, code);
  }

  restore(file: string): void {
    const path = join(this.folder, compiledName(file));
    rmSync(path);
    linkSync(join(CLEAN, compiledName(file)), path);
  }
}
