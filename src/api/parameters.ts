import type { Operation } from 'openapi-backend';

/** Turns a parameter's text into its value. Text that is not such a value stays text, which validation refuses. */
interface Reader {
  readonly isList: boolean;
  readonly read: (value: unknown) => unknown;
}

/** An integer as the API reads it: decimal digits without plus sign or leading zero. */
const INTEGER = /^(?:0|-?[1-9][0-9]*)$/;

/** By the type of the schema. (Ajv's own coercion would take `1e1`, `0x10`, `+7` and `007`.) */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  integer: (text) => (INTEGER.test(text) ? safeInteger(text) : text),
  boolean: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
};

/** The integer; one that a double cannot hold becomes the largest that it can. */
function safeInteger(digits: string): number {
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));
}

/** The parameters of an operation that stand in one part of the request, and how each is read. */
export type Readers = ReadonlyMap<string, Reader>;

/**
 * How an operation's parameters are read, by the document.
 * @throws Error for a document that asks for what nothing here reads
 */
export function readersOf(operation: Operation, part: 'path' | 'query'): Readers {
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  return new Map(
    parameters
      .filter((parameter) => parameter.in === part)
      .map(({ name, schema }) => [name, readerOf(operation, name, schema as Schema | undefined)]),
  );
}

interface Schema {
  readonly type?: unknown;
  readonly items?: unknown;
}

function readerOf(operation: Operation, name: string, schema: Schema | undefined): Reader {
  const { type, items } = schema ?? {};
  if (type === 'array') {
    const { read } = readerOf(operation, name, items as Schema | undefined);
    return { isList: true, read: (value) => (Array.isArray(value) ? value : [value]).map(read) };
  }
  const read = READERS[String(type)];
  if (!read) throw unreadable(operation, `the parameter ${name} is of the type ${String(type)}`);
  return { isList: false, read: (value) => (typeof value === 'string' ? read(value) : value) };
}

/** @throws Error for an operation that asks for what nothing here reads: better at the start than at a request */
export function assertReadable(operation: Operation): void {
  const { operationId, parameters = [], requestBody, security = [] } = operation;
  if (operationId === undefined) throw unreadable(operation, 'it has no operationId');
  for (const parameter of parameters) {
    if ('$ref' in parameter) throw unreadable(operation, `the parameter ${parameter.$ref} is not resolved`);
    if (parameter.in === 'cookie') throw unreadable(operation, `the parameter ${parameter.name} is a cookie`);
    if ('content' in parameter) throw unreadable(operation, `the parameter ${parameter.name} has a media type`);
  }
  if (requestBody) {
    const types = 'content' in requestBody ? Object.keys(requestBody.content) : [];
    if (types.join() !== 'application/json') throw unreadable(operation, `its body is ${types.join()}`);
  }
  for (const requirement of security) {
    const schemes = Object.keys(requirement).join();
    if (schemes !== 'ApiKey') throw unreadable(operation, `it asks for ${schemes}`);
  }
}

function unreadable({ operationId, method, path }: Operation, why: string): Error {
  return new Error(`the document asks for what nothing reads: ${operationId ?? `${method} ${path}`}: ${why}`);
}
