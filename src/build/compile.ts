/**
 * Compiles TypeScript: what ships into a few files, packages included; for the tests, file by file into a tree with the layout of the
 * project, `OUT/src` and `OUT/test`. `make check` checks types separately. Node's type stripping runs this file and build.ts directly,
 * before anything is compiled.
 */
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { build, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';

export const TRANSPILE = {
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  jsx: 'automatic',
  jsxImportSource: 'preact',
} as const;

const isInPackage = (path: string): boolean => path.split('/').includes('node_modules');

/**
 * @param folders folders of the project, such as `src` and `test`
 * @param out an empty folder inside the project, so that the compiled files find its node_modules
 */
export async function compileTree(folders: readonly string[], out: string): Promise<void> {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  const sources = globSync(patterns, { exclude: isInPackage }).filter((path) => !path.endsWith('.d.ts'));
  await compileFiles(sources, out);
  for (const path of globSync(folders.map((folder) => `${folder}/*/package.json`))) linkPackages(dirname(path), out);
  await copyAssets(out);
}

const ENTRIES = globSync(['src/main.ts', 'src/**/*-worker.ts']);

export const UNBUNDLED = ['better-sqlite3'];

/** Includes optional dependencies of packages, which are not installed. */
const EXTERNAL = [
  ...UNBUNDLED,
  ...['mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'sqlite3', 'tedious'],
];

/**
 * Bundles the program and its threads with their packages. Commands load only the chunks that they need.
 * @param out an empty folder inside the project, so that unbundled packages are found
 */
export async function bundle(out: string): Promise<void> {
  const place = { outdir: join(out, 'src'), outbase: 'src', sourcemap: 'linked', sourcesContent: false } as const;
  await bundleEntries(ENTRIES, place);
  await copyAssets(out);
}

/**
 * Bundles the scanner and its command line for the npm package.
 * @returns the bundled files
 */
export async function bundleScanner(outdir: string): Promise<readonly string[]> {
  const entries = ['main', 'index', 'supported-node'].map((name) => `src/package/${name}.ts`);
  const { metafile } = await bundleEntries(entries, { outdir, outbase: 'src/package', metafile: true });
  return Object.keys(metafile?.inputs ?? {});
}

const BUNDLE = {
  ...TRANSPILE,
  bundle: true,
  external: EXTERNAL,
  // Its UMD form cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'error',
  // Names are not minified, for stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
} satisfies BuildOptions;

function bundleEntries(entryPoints: readonly string[], place: BuildOptions): Promise<BuildResult> {
  return build({
    entryPoints: [...entryPoints],
    ...place,
    ...BUNDLE,
    chunkNames: '[name]-[hash]',
    splitting: true,
    plugins: [keepModuleUrls(entryPoints), SMALL_UNDICI],
    // For packages that are not ES modules.
    banner: {
      js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
    },
  });
}

/** Keeps `import.meta.url` of bundled modules relative to their source, since modules locate their files by it. */
function keepModuleUrls(entries: readonly string[]): Plugin {
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

/** What src/net uses of undici. Loading the rest (fetch, WebSocket, caches, mocks) costs a scan a third more CPU. */
const PARTS = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import request from 'undici/lib/api/api-request.js';
  Dispatcher.prototype.request = request;
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';`;

/** In a bundle, the parser of undici needs no preloading, which would bundle it a second time. */
const SMALL_UNDICI: Plugin = {
  name: 'parts-of-undici',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^undici(\/lib\/llhttp\/.*)?$/ }, ({ path }) => ({ path, namespace: 'parts' }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      contents: path === 'undici' ? PARTS : '',
      resolveDir: process.cwd(),
    }));
  },
};

const FONT = import.meta.resolve('@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2');

async function copyAssets(out: string): Promise<void> {
  for (const asset of globSync(['src/web/assets/*.{svg,png,ico}', 'src/web/public/*.md', 'src/app/runs/*.txt']))
    cpSync(asset, join(out, asset));
  cpSync(new URL(FONT), join(out, 'src/web/assets/hanken-grotesk.woff2'));
  await minifyAssets(out);
}

export async function minifyAssets(out: string): Promise<void> {
  await build({
    entryPoints: globSync('src/web/assets/*.{js,css}'),
    outdir: out,
    outbase: '.',
    minify: true,
    bundle: true,
    format: 'esm',
    external: ['*.woff2'],
    target: ['chrome125', 'firefox128', 'safari17.5'],
    logLevel: 'warning',
  });
}

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
 * Links the node_modules of a folder that is a package, so that compiled files find them. They may be installed later.
 */
function linkPackages(folder: string, out: string): void {
  const link = join(out, folder, 'node_modules');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(resolve(link)), resolve(folder, 'node_modules')), link);
}
