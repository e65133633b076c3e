/** Codes of the characters that give JSON its structure. */
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** One step of a JSON Pointer (RFC 6901 §3), its slash before it: the name of a member, or the index of an element from 0. */
export function stepTo(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The character at which the value of a JSON Pointer begins in a JSON text; null if there is no such value. Of duplicate keys the last counts. */
export function offsetOfPointer(text: string, pointer: string): number | null {
  const steps = pointer.split('/').slice(1);
  let offset = skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0);
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const opening = text.charCodeAt(offset);
    if (opening !== OPEN_OBJECT && opening !== OPEN_ARRAY) return null;
    const found = opening === OPEN_OBJECT ? findMember(text, offset, name) : findElement(text, offset, Number(name));
    if (found === null) return null;
    offset = found;
  }
  return offset < text.length ? offset : null;
}

function findMember(text: string, opening: number, name: string): number | null {
  let found: number | null = null;
  for (let at = skipSpace(text, opening + 1); text.charCodeAt(at) === QUOTE; at = toNext(text, at)) {
    const end = skipString(text, at);
    const colon = skipSpace(text, end);
    if (text.charCodeAt(colon) !== COLON) return found;
    const isNamed = isSameKey(text.slice(at, end), name);
    at = skipSpace(text, colon + 1);
    if (isNamed) found = at;
  }
  return found;
}

function findElement(text: string, opening: number, index: number): number | null {
  let at = skipSpace(text, opening + 1);
  for (let left = index; at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY; left -= 1) {
    if (left === 0) return at;
    at = toNext(text, at);
  }
  return null;
}

/** From a value to the one after its comma; the end of the text if there is none. */
function toNext(text: string, start: number): number {
  const at = skipSpace(text, skipValue(text, start));
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : text.length;
}

function skipValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = skipString(text, at) - 1;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth -= 1;
    else if (code === COMMA && depth === 0) return at;
    if (depth < 0) return at;
  }
  return text.length;
}

/** From an opening quotation mark to what follows the closing one. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isSameKey(literal: string, name: string): boolean {
  if (!literal.includes('\\')) return literal.slice(1, -1) === name;
  try {
    return JSON.parse(literal) === name;
  } catch {
    return false;
  }
}
