/** A JSON value; the document is read and written as one. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

type JsonObject = Readonly<Record<string, Json>>;

const NULL_TYPE = '{"type":"null"}';

/** A line end within a paragraph or an item of a list. */
const LINE_END = /(?<!\n|^#.*)\n(?!\n|- )/gm;

/**
 * Rewrites output of TypeSpec's emitter that is valid but awkward for other tools. A pure function:
 *
 * - a nullable scalar becomes `type: [T, "null"]` (generators turn an `anyOf` into a union of objects); a nullable enum keeps
 * `anyOf` with a `$ref`;
 * - the HTTP authentication scheme is in lower case, as in its registry;
 * - an operation without a key has `security: []` rather than `[{}]`, "a key, or none";
 * - a server without variables omits `variables`;
 * - a paragraph of a description is one line: the emitter keeps the line ends of the specification, and many readers show them.
 */
export function tidyDocument(document: Json): Json {
  return rewrite(document);
}

function rewrite(value: Json): Json {
  if (isList(value)) return value.map(rewrite);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, field]): [string, Json] => [key, rewriteField(key, rewrite(field))]);
  return mergeNullable(Object.fromEntries(entries.filter(([key, field]) => !isEmptyVariables(key, field))));
}

function rewriteField(key: string, value: Json): Json {
  if (key === 'scheme' && typeof value === 'string') return value.toLowerCase();
  if (key === 'description' && typeof value === 'string') return value.replaceAll(LINE_END, ' ');
  if (key === 'security' && JSON.stringify(value) === '[{}]') return [];
  return value;
}

function isEmptyVariables(key: string, value: Json): boolean {
  return key === 'variables' && JSON.stringify(value) === '{}';
}

/** `{anyOf: [{type: T, …}, {type: "null"}], …}` → `{type: [T, "null"], …, …}`. */
function mergeNullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined || !isList(anyOf) || anyOf.length !== 2) return schema;
  const [scalar, nothing] = anyOf;
  if (!isObject(scalar) || typeof scalar.type !== 'string' || JSON.stringify(nothing) !== NULL_TYPE) return schema;
  return { ...scalar, type: [scalar.type, 'null'], ...rest };
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
