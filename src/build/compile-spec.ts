import { basename, dirname } from 'node:path';
import {
  compile,
  createSourceFile,
  formatDiagnostic,
  NodeHost,
  resolveCompilerOptions,
  type CompilerHost,
  type Diagnostic,
} from '@typespec/compiler';

/** The project root: make runs everything there. */
const ROOT = `${process.cwd()}/`;
const ENTRY = `${ROOT}spec/main.tsp`;
const REGISTRY = `${ROOT}generated/registry.tsp`;

/** The emitter writes a folder for each (tspconfig.yaml). */
export type OpenApiVersion = '3.0.0' | '3.1.0';

/** Errors in the specification, one per line. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/** Messages repeat the types that do not match, including the text of examples; the problem itself comes first. */
const MESSAGE_CHARS_MAX = 160;

function describe(fault: Diagnostic): string {
  const line = formatDiagnostic(fault, { pathRelativeTo: process.cwd() }).replaceAll(/\s+/g, ' ');
  return line.length > MESSAGE_CHARS_MAX ? `${line.slice(0, MESSAGE_CHARS_MAX)} …` : line;
}

/**
 * Compiles `spec/main.tsp` and returns the documents as the emitter writes them, by their version of OpenAPI. Does not read or write `generated/`: `registry`
 * replaces the file of that name, so a stale one cannot be used.
 * @throws SpecError with every diagnostic, warnings included
 */
export async function compileSpec(registry: string): Promise<Readonly<Record<OpenApiVersion, string>>> {
  const written = new Map<string, string>();
  const host: CompilerHost = {
    ...NodeHost,
    readFile: async (path) => (path === REGISTRY ? createSourceFile(registry, path) : NodeHost.readFile(path)),
    stat: async (path) => (path === REGISTRY ? { isFile: () => true, isDirectory: () => false } : NodeHost.stat(path)),
    realpath: async (path) => (path === REGISTRY ? path : NodeHost.realpath(path)),
    mkdirp: (path) => Promise.resolve(path),
    writeFile: (path, content) => Promise.resolve(void written.set(basename(dirname(path)), content)),
  };
  const [options, faults] = await resolveCompilerOptions(host, { cwd: ROOT, entrypoint: ENTRY });
  const program = await compile(host, ENTRY, options);
  const diagnostics = [...faults, ...program.diagnostics];
  if (diagnostics.length > 0) throw new SpecError(diagnostics.map(describe).join('\n'));
  return { '3.0.0': documentOf(written, '3.0.0'), '3.1.0': documentOf(written, '3.1.0') };
}

function documentOf(written: ReadonlyMap<string, string>, version: OpenApiVersion): string {
  const document = written.get(version);
  if (document === undefined) throw new Error(`expected a document of OpenAPI ${version}`);
  return document;
}
