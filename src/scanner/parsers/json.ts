import { type Node, parseTree, visit } from 'jsonc-parser';
import { JSON_LIMITS } from '../limits.js';

/** A JSON value with objects as Maps, so that no key (`__proto__`) can affect a JavaScript object. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export interface JsonLimits {
  /** Most arrays and objects. */
  readonly containersMax: number;
  /** Most distinct keys of one object; unlimited by default. */
  readonly keysMax?: number;
}

/** The value, or why there is none: `offset` is the character at which the text stops being JSON. */
export type JsonReading =
  | {
      readonly kind: 'value';
      readonly value: JsonValue;
      readonly containerCount: number;
      /** Position of each object in the text, in characters from 0. */
      readonly offsets: WeakMap<JsonObject, number>;
    }
  | { readonly kind: 'broken'; readonly offset: number }
  | { readonly kind: 'overLimit' };

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Parses JSON (RFC 8259). Keys are in source order; the last of duplicate keys wins. */
export function parseJson(text: string, { containersMax, keysMax = Infinity }: JsonLimits): JsonReading {
  const containerCount = countContainers(text);
  if (containerCount === null || containerCount > containersMax) return { kind: 'overLimit' };
  const fault = findFault(text);
  const root = fault === null ? parseTree(text, [], STRICT) : undefined;
  if (root === undefined) return { kind: 'broken', offset: faultAt(text, fault ?? 0) };
  const offsets = new WeakMap<JsonObject, number>();
  let keyCount = 0;
  const toValue = ({ type, value, offset, children = [] }: Node): JsonValue => {
    if (type === 'array') return children.map(toValue);
    if (type !== 'object') return value as JsonValue;
    const object = new Map<string, JsonValue>();
    for (const { children: [key, member] = [] } of children)
      if (key && member) object.set(key.value as string, toValue(member));
    keyCount = Math.max(keyCount, object.size);
    offsets.set(object, offset);
    return object;
  };
  const value = toValue(root);
  return keyCount > keysMax ? { kind: 'overLimit' } : { kind: 'value', value, containerCount, offsets };
}

class Fault extends Error {
  constructor(readonly offset: number) {
    super('invalid JSON');
  }
}

/** Returns the offset of the token at which a text stops being JSON, or null. Past it, the parser could nest deeper than we counted. */
function findFault(text: string): number | null {
  const onError = (_: number, offset: number): never => {
    throw new Fault(offset);
  };
  try {
    visit(text, { onError }, STRICT);
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.offset;
    throw error;
  }
}

const VALID_STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/iy;

/** Returns the offset of the first invalid character of the token at `offset`. */
function faultAt(text: string, offset: number): number {
  VALID_STRING.lastIndex = offset;
  return VALID_STRING.test(text) ? VALID_STRING.lastIndex : offset;
}

/** Returns one step of a JSON Pointer with its leading slash (RFC 6901 §3). @param name of a member, or index from 0 */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Parses a JSON text. Returns a function that finds the offset, in characters, of the value at a JSON Pointer; null if there is none.
 * The last of duplicate keys counts.
 */
export function createPointerLookup(text: string): (pointer: string) => number | null {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const json = text.slice(start);
  const root = countContainers(json) === null ? undefined : parseTree(json.slice(0, findFault(json) ?? undefined));
  return (pointer) => {
    let node = root;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      node =
        node?.type === 'array'
          ? node.children?.[Number(name)]
          : node?.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
    }
    return node === undefined ? null : start + node.offset;
  };
}

/** Counts the arrays and objects of a JSON text without parsing it. Returns null if they nest too deeply, or there are too many values. */
export function countContainers(text: string): number | null {
  let containers = 0;
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === ',') values += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === '{' || character === '[') {
      containers += 1;
      depth += 1;
    }
    if (depth > JSON_LIMITS.depthMax || values > JSON_LIMITS.valuesMax) return null;
  }
  return containers;
}
