/**
 * Compiles TypeScript: what ships into a few files, packages included; for the tests, file by file into a tree with the layout of the
 * project, `OUT/src` and `OUT/test`. `make check` checks types separately. Node's type stripping runs this file and build.ts directly,
 * before anything is compiled.
 */
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';

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
  await copyAssets(out);
}

/** The program, and what starts a thread. */
const ENTRIES = globSync(['src/main.ts', 'src/**/*-worker.ts']);

/** What src/main.ts starts, each of them as one script that V8 keeps what it compiled of: see src/compiled.ts. */
const PROGRAMS = globSync(['src/program.ts', 'src/package/program.ts']);

/** Packages with a program for the machine or a file of data, which stay outside of the bundle. */
export const UNBUNDLED = ['better-sqlite3', '@resvg/resvg-wasm'];

/** With those that others ask for where they are installed: these are not. */
const EXTERNAL = [
  ...UNBUNDLED,
  ...['mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'sqlite3', 'tedious'],
];

/**
 * The program and its threads as they ship, with the packages that they use. What a command does not need, it does not load.
 * @param out an empty folder inside the project, so that the rest of the packages is found
 */
export async function bundle(out: string): Promise<void> {
  const place = { outdir: join(out, 'src'), outbase: 'src', sourcemap: 'linked', sourcesContent: false } as const;
  await bundleEntries(ENTRIES, place);
  if (PROGRAMS.length > 0) await bundlePrograms(PROGRAMS, place);
  await copyAssets(out);
}

/**
 * The scanner with its command line, for those who install nothing else.
 * @returns the files that it is made of
 */
export async function bundleScanner(outdir: string): Promise<readonly string[]> {
  const entries = ['main', 'index', 'supported-node'].map((name) => `src/package/${name}.ts`);
  const { metafile } = await bundleEntries(entries, { outdir, outbase: 'src/package', metafile: true });
  return Object.keys(metafile?.inputs ?? {});
}

const BUNDLE = {
  ...TRANSPILE,
  ...{ bundle: true, external: EXTERNAL, logLevel: 'error' },
  // Names stay, for stack traces. What V8 has to read and to keep becomes a third smaller.
  ...{ minifyWhitespace: true, minifySyntax: true },
} satisfies BuildOptions;

function bundleEntries(entryPoints: readonly string[], place: BuildOptions): Promise<BuildResult> {
  return build({
    entryPoints: [...entryPoints],
    ...place,
    ...BUNDLE,
    ...{ chunkNames: '[name]-[hash]', splitting: true },
    plugins: [PROGRAM_OF_MAIN, ownPlaces(entryPoints), ...OF_PACKAGES],
    // For packages that are not ES modules.
    banner: {
      js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
    },
  });
}

/** Each becomes a function of what a CommonJS module has, and of the URL from which modules find their places. */
function bundlePrograms(entryPoints: readonly string[], place: BuildOptions): Promise<BuildResult> {
  return build({
    entryPoints: [...entryPoints],
    ...place,
    ...BUNDLE,
    ...{ format: 'cjs', outExtension: { '.js': '.cjs' } },
    // Of what is not installed with them, as of anything else, an import is a call of `require`.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '$base' },
    plugins: [ownPlaces([]), ...OF_PACKAGES],
    banner: { js: '(function(exports,require,module,$base){' },
    footer: { js: '})' },
  });
}

/** A module finds its files from its own place, which it loses in a bundle (what is an entry keeps it). */
function ownPlaces(entries: readonly string[]): Plugin {
  return {
    name: 'own-places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const place = relative('src', path);
        const isKept = place.startsWith('..') || entries.some((entry) => resolve(entry) === path);
        const text = isKept ? '' : readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const contents = text.replaceAll('import.meta.url', `new URL('${place}', import.meta.url)`);
        return { contents, loader: extname(path) === '.tsx' ? 'tsx' : 'ts' };
      }),
  };
}

/** Where it is bundled, it is the script next to src/main.ts instead. */
const PROGRAM_OF_MAIN: Plugin = {
  name: 'program-of-main',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/program\.js$/ }, ({ path, resolveDir }) =>
      resolveDir === resolve('src') ? { path, external: true } : undefined,
    ),
};

/** What src/net uses of undici: the rest, such as fetch, WebSocket, caches and mocks, is made as soon as it is loaded. */
const PARTS = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import request from 'undici/lib/api/api-request.js';
  Dispatcher.prototype.request = request;
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';`;

/** Its parser needs no loading ahead where it is in the same file, and the import would make an object of each of its bytes. */
const PARTS_OF_UNDICI: Plugin = {
  name: 'parts-of-undici',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^undici(\/lib\/llhttp\/.*)?$/ }, ({ path }) => ({ path, namespace: 'parts' }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      ...{ contents: path === 'undici' ? PARTS : '', resolveDir: process.cwd() },
    }));
  },
};

/** The tree of character references, as bytes: it is packed so tightly that V8 compiles its unpacking by all its compilers. */
const UNPACKED_REFERENCES: Plugin = {
  name: 'unpacked-references',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/entities\/dist\/generated\/decode-data-html\.js$/ }, async ({ path }) => {
      const { htmlDecodeTree } = (await import(pathToFileURL(path).href)) as { readonly htmlDecodeTree: Uint16Array };
      const text = Buffer.from(Uint16Array.from(htmlDecodeTree).buffer).toString('base64');
      return {
        contents: `export const htmlDecodeTree = new Uint16Array(new Uint8Array(Buffer.from('${text}', 'base64')).buffer);`,
      };
    }),
};

const OF_PACKAGES = [PARTS_OF_UNDICI, UNPACKED_REFERENCES];

/** What pages are sent with, at the same place below `out`. */
async function copyAssets(out: string): Promise<void> {
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
