/**
 * Compiles TypeScript, without checking types. The shipped program is bundled with its packages into a few files. For tests, each file is
 * compiled on its own into a tree with the layout of the project (`OUT/src`, `OUT/test`). Node runs this file and build.ts uncompiled, so
 * they may only use types that Node can strip.
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

/** Packages that are not bundled. The second list has optional dependencies, which are not installed. */
const EXTERNAL = [
  ...UNBUNDLED,
  ...['mariadb', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'sqlite3', 'tedious'],
];

/**
 * Bundles the program and its worker threads with their packages. Each command loads only the chunks that it needs.
 * @param out an empty folder inside the project, so that unbundled packages are found
 */
export async function bundle(out: string): Promise<void> {
  const output = { outdir: join(out, 'src'), outbase: 'src', sourcemap: 'linked', sourcesContent: false } as const;
  await bundleEntries(ENTRIES, output);
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
  // Its default, a UMD build, cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'error',
  // Identifiers are not minified, so that stack traces stay readable.
  minifyWhitespace: true,
  minifySyntax: true,
} satisfies BuildOptions;

function bundleEntries(entryPoints: readonly string[], output: BuildOptions): Promise<BuildResult> {
  return build({
    entryPoints: [...entryPoints],
    ...output,
    ...BUNDLE,
    chunkNames: '[name]-[hash]',
    splitting: true,
    plugins: [keepModuleUrls(entryPoints), SMALL_UNDICI],
    // CommonJS packages call `require`.
    banner: {
      js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
    },
  });
}

/** Makes `import.meta.url` in a bundled module the URL of its source file, since modules locate their files by it. */
function keepModuleUrls(entries: readonly string[]): Plugin {
  return {
    name: 'module-urls',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const source = relative('src', path);
        const isUnchanged = source.startsWith('..') || entries.some((entry) => resolve(entry) === path);
        const text = isUnchanged ? '' : readFileSync(path, 'utf8');
        if (!text.includes('import.meta.url')) return undefined;
        const contents = text.replaceAll('import.meta.url', `new URL('${source}', import.meta.url)`);
        return { contents, loader: extname(path) === '.tsx' ? 'tsx' : 'ts' };
      }),
  };
}

/** The parts of undici that src/net uses. With the rest (fetch, WebSocket, caches, mocks, HTTP/2), a scan would use a third more CPU. */
const UNDICI_PARTS = `
  import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
  import request from 'undici/lib/api/api-request.js';
  Dispatcher.prototype.request = request;
  export { default as Agent } from 'undici/lib/dispatcher/agent.js';
  export { default as buildConnector } from 'undici/lib/core/connect.js';`;

/**
 * Replaces undici with these parts. Leaves out HTTP/2, which src/net does not offer, and the import that preloads its parser, which would
 * bundle the parser twice.
 */
const SMALL_UNDICI: Plugin = {
  name: 'parts-of-undici',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^undici(\/lib\/llhttp\/.*)?$|\/client-h2\.js$/ }, ({ path }) => ({
      path,
      namespace: 'parts',
    }));
    onLoad({ filter: /./, namespace: 'parts' }, ({ path }) => ({
      contents: path === 'undici' ? UNDICI_PARTS : '',
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
 * Links the node_modules of a package folder, so that compiled files find them. The target need not exist yet.
 */
function linkPackages(folder: string, out: string): void {
  const link = join(out, folder, 'node_modules');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(relative(dirname(resolve(link)), resolve(folder, 'node_modules')), link);
}
