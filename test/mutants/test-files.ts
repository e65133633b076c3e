import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { compiledName, filesBelow } from './tree.js';

/** How many imports lie between a test file and each module that it reaches. */
type Distances = ReadonlyMap<string, number>;

const IMPORTED = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g;
const ADDRESSED = /new URL\(['"]([^'"]*[\w/])['"]/g;

/** Which test files of a compiled tree run a module. Names are those in the tree, such as `test/parse/json.test.js`. */
export class TestFiles {
  readonly #reached = new Map<string, Distances>();

  constructor(tree: string) {
    const files = ['src', 'test'].flatMap((root) => filesBelow(join(tree, root)));
    const modules = files.filter((file) => file.endsWith('.js')).map((file) => relative(tree, file));
    const imports = new Map(modules.map((module) => [module, reachedFrom(tree, module, modules)]));
    for (const module of modules) {
      if (/^test\/.*\.test\.js$/.test(module)) this.#reached.set(module, measure(module, imports));
    }
  }

  /**
   * The test files that import or start this source, themselves or through others, most likely ones first: of its name, of its room,
   * of the rooms alongside it, few imports away, and with few other modules alongside it.
   */
  for(source: string): string[] {
    const module = compiledName(source);
    return [...this.#reached]
      .filter(([, distances]) => distances.has(module))
      .map(([file, distances]) => ({ file, rank: rankOf(file, module, distances) }))
      .sort((a, b) => compare(a.rank, b.rank))
      .map(({ file }) => file);
  }
}

/** What the compiled file imports of ours (imports of types are gone by then), or starts or loads by its address. */
function reachedFrom(tree: string, module: string, modules: readonly string[]): string[] {
  const text = readFileSync(join(tree, module), 'utf8');
  const imported = Array.from(text.matchAll(IMPORTED), ([, path = '']) => compiledName(join(dirname(module), path)));
  return [...imported, ...[...text.matchAll(ADDRESSED)].flatMap(([, path = '']) => addressed(path, module, modules))];
}

/** A program, a worker, or a folder whose modules are loaded by name: from the module that names it, or from the build's folder. */
function addressed(path: string, module: string, modules: readonly string[]): string[] {
  const places = [join(dirname(module), path), normalize(path)];
  return modules.filter((name) =>
    places.some((place) => name === place || (place.endsWith('/') && name.startsWith(place))),
  );
}

function measure(from: string, imports: ReadonlyMap<string, readonly string[]>): Distances {
  const distances = new Map([[from, 0]]);
  // A map is walked in the order of insertion, what is added on the way included.
  for (const [module, distance] of distances) {
    for (const next of imports.get(module) ?? []) {
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  return distances;
}

function rankOf(file: string, module: string, distances: Distances): number[] {
  const [test, name] = [basename(file, '.test.js'), basename(module, '.js')];
  const shared = countShared(foldersOf(file), foldersOf(module));
  const isNamesake = shared > 0 && (test.startsWith(name) || name.startsWith(test));
  return [isNamesake ? 0 : 1, -shared, distances.get(module) ?? Infinity, distances.size];
}

/** Those below `src` or `test`, down to a room: that of `src/scanner/parsers/json/b.js` is `scanner/parsers`. */
function foldersOf(file: string): string[] {
  const [, ...folders] = dirname(file).split('/');
  return folders.slice(0, 2);
}

/** How many folders two have in common, from the first on. */
function countShared(some: readonly string[], others: readonly string[]): number {
  const differing = some.findIndex((folder, index) => folder !== others[index]);
  return differing === -1 ? some.length : differing;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}
