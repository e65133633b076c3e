import { basename, dirname } from 'node:path';
import { compile, formatDiagnostic, NodeHost, resolveCompilerOptions, type CompilerHost } from '@typespec/compiler';

/** The versions in tspconfig.yaml. The emitter writes one folder for each. */
export type OpenApiVersion = '3.0.0' | '3.1.0';

export interface Header {
  readonly required?: boolean;
  readonly $ref?: string;
}

export interface Response {
  readonly description?: string;
  headers?: Record<string, Header>;
  readonly content?: Readonly<Record<string, { examples?: Record<string, object> }>>;
  readonly $ref?: string;
  readonly links?: object;
}

export interface Operation {
  readonly operationId?: string;
  readonly responses: Record<string, Response>;
  'x-links'?: object;
  'x-webhook'?: string;
}

/** The parts of an OpenAPI document that we change after compiling. */
export interface OpenApi {
  readonly openapi?: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, object>>;
}

export function operationsOf({ paths }: OpenApi): readonly Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Thrown for errors in the specification, one per line. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/** Longer messages are cut, since after the problem they only repeat mismatched types and examples. */
const MESSAGE_CHARS_MAX = 160;

/**
 * Compiles the specification. Must run in the project root, as make does.
 * @returns the emitted documents by OpenAPI version
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
  const [options, configProblems] = await resolveCompilerOptions(host, { cwd: `${root}/`, entrypoint: entry });
  const program = await compile(host, `${root}/${entry}`, options);
  const lines = [...configProblems, ...program.diagnostics].map((diagnostic) => {
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
