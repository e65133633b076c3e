import type { Operation } from 'openapi-backend';

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

/**
 * The parameters of an operation that stand in one part of the request: each turns its texts, one for each time that it was sent, into its
 * value. Text that is not such a value stays text, which validation refuses.
 */
export type Readers = ReadonlyMap<string, (texts: readonly string[]) => unknown>;

/**
 * How an operation's parameters are read, by the document.
 * @throws Error for a document that asks for what nothing here reads
 */
export function readersOf(operation: Operation, part: 'path' | 'query'): Readers {
  const parameters = (operation.parameters ?? []).flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  return new Map(
    parameters
      .filter((parameter) => parameter.in === part)
      .map((parameter) => [parameter.name, readerOf(operation, parameter)]),
  );
}

interface Schema {
  readonly type?: unknown;
  readonly items?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly schema?: unknown;
  readonly explode?: boolean;
}

/** A list is sent as one parameter many times, or with `explode: false` as one text with commas. */
function readerOf(operation: Operation, { name, schema, explode }: Parameter): (texts: readonly string[]) => unknown {
  const { type, items } = (schema ?? {}) as Schema;
  const read = READERS[String(type === 'array' ? items?.type : type)];
  if (!read) throw unreadable(operation, `the parameter ${name} is of the type ${String(items?.type ?? type)}`);
  const split = (texts: readonly string[]) => (explode === false ? texts.flatMap((text) => text.split(',')) : texts);
  if (type === 'array') return (texts) => split(texts).map(read);
  return (texts) => (texts.length === 1 ? read(texts[0] ?? '') : texts);
}

/** @throws Error for an operation that asks for what nothing here reads: better at the start than at a request */
export function assertReadable(operation: Operation): void {
  const { operationId, parameters = [], requestBody, security = [] } = operation;
  if (operationId === undefined) throw unreadable(operation, 'it has no operationId');
  for (const parameter of parameters) {
    if ('$ref' in parameter) throw unreadable(operation, `the parameter ${parameter.$ref} is not resolved`);
    if (parameter.in === 'cookie') throw unreadable(operation, `the parameter ${parameter.name} is a cookie`);
    if (parameter.style !== undefined) throw unreadable(operation, `the parameter ${parameter.name} has a style`);
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
