/** TypeSpec value syntax, as opposed to text that must still be quoted. */
export class TspCode {
  constructor(readonly text: string) {}
}

export type TspValue =
  string | number | boolean | null | TspCode | readonly TspValue[] | { readonly [key: string]: TspValue };

/** A name in TypeSpec: in backticks unless it is a plain identifier. */
export function tspName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name) ? name : `\`${name}\``;
}

/** TypeSpec's reserved words that could appear as names here. */
const RESERVED = new Set([
  'enum',
  'model',
  'op',
  'scalar',
  'union',
  'const',
  'null',
  'true',
  'false',
  'unknown',
  'void',
]);

/** A JSON-like value in TypeSpec syntax. */
export function tspValue(value: TspValue): string {
  if (value instanceof TspCode) return value.text;
  if (typeof value === 'string') return tspString(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `#[${value.map(tspValue).join(', ')}]`;
  const fields = Object.entries(value).map(([key, field]) => `${tspName(key)}: ${tspValue(field)}`);
  return `#{ ${fields.join(', ')} }`;
}

/** A quoted string. TypeSpec's escapes are JSON's, and `${` would start an interpolation. */
export function tspString(text: string): string {
  return JSON.stringify(text).replaceAll('${', '\\${');
}

function isList(value: TspValue): value is readonly TspValue[] {
  return Array.isArray(value);
}
