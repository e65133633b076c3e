import { basename, dirname } from 'node:path';
import { compile, formatDiagnostic, NodeHost, resolveCompilerOptions, type CompilerHost } from '@typespec/compiler';

/** The emitter writes a folder for each (tspconfig.yaml). */
export type OpenApiVersion = '3.0.0' | '3.1.0';

export interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}

export interface Answer {
  readonly description?: string;
  headers?: Record<string, Header>;
  readonly content?: Readonly<Record<string, { examples?: Record<string, object> }>>;
  readonly $ref?: string;
  readonly links?: object;
}

export interface Operation {
  readonly operationId?: string;
  readonly responses: Record<string, Answer>;
  'x-links'?: object;
  'x-webhook'?: string;
}

/** The parts of a document that the steps after the compiler change. */
export interface OpenApi {
  readonly openapi?: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, object>>;
}

export function operationsOf({ paths }: OpenApi): readonly Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Errors in the specification, one per line. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/** Messages repeat the types that do not match, including the text of examples; the problem itself comes first. */
const MESSAGE_CHARS_MAX = 160;

/**
 * Compiles the specification. make runs everything in the project root.
 * @returns the documents as the emitter writes them, by their version of OpenAPI
 * @throws SpecError with every diagnostic, warnings included
 */
export async function compileSpec(entry = 'spec/main.tsp'): Promise<Readonly<Record<OpenApiVersion, string>>> {
  const written = new Map<string, string>();
  const host: CompilerHost = {
    ...NodeHost,
    mkdirp: (path) => Promise.resolve(path),
    writeFile: (path, content) => Promise.resolve(void written.set(basename(dirname(path)), content)),
  };
  const root = process.cwd();
  const [options, faults] = await resolveCompilerOptions(host, { cwd: `${root}/`, entrypoint: entry });
  const program = await compile(host, `${root}/${entry}`, options);
  const lines = [...faults, ...program.diagnostics].map((diagnostic) => {
    const line = formatDiagnostic(diagnostic, { pathRelativeTo: root }).replaceAll(/\s+/g, ' ');
    return line.length > MESSAGE_CHARS_MAX ? `${line.slice(0, MESSAGE_CHARS_MAX)} …` : line;
  });
  if (lines.length > 0) throw new SpecError(lines.join('\n'));
  const documentOf = (version: OpenApiVersion): string => {
    const document = written.get(version);
    if (document === undefined) throw new Error(`expected a document of OpenAPI ${version}`);
    return document;
  };
  return { '3.0.0': documentOf('3.0.0'), '3.1.0': documentOf('3.1.0') };
}
