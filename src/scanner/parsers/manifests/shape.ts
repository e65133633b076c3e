import { type SafeText, pointTo, safeText } from '../../artifacts/safe-text.js';
import { type JsonObject, type JsonValue, isArray, isObject, parseJson, stepTo } from '../json.js';
import { ADDRESS_LIMITS, MANIFEST_LIMITS } from '../../limits.js';

/** The result of reading a manifest. `value` is what could be read, even if there are problems. */
export type ManifestReading<T> =
  | { readonly kind: 'read'; readonly problems: readonly SafeText[]; readonly value: T }
  /** Not a JSON object at all. */
  | { readonly kind: 'broken'; readonly problem: SafeText }
  /** Valid, but about something else. */
  | { readonly kind: 'unrelated'; readonly detail: SafeText }
  /** Over one of our limits. */
  | { readonly kind: 'overLimit' };

/** A JSON document, or a value within one. */
export interface Source {
  /** The final URL of the document. */
  readonly file: URL;
  /** Its JSON Pointer; empty for the whole document. */
  readonly pointer: string;
}

/** Reads the JSON document of this URL (RFC 8259; a BOM is ignored by its §8.1), whose root must be an object. */
export function readObject(
  text: string,
  file: URL,
): { readonly object: JsonObject } | Exclude<ManifestReading<never>, { kind: 'read' }> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const reading = parseJson(text.slice(start), { containersMax: MANIFEST_LIMITS.containersMax });
  if (reading.kind === 'overLimit') return reading;
  if (reading.kind === 'broken') {
    if (text.trim() === '') return { kind: 'broken', problem: safeText`is empty` };
    const read = text.slice(0, start + reading.offset);
    const line = read.split(/\r\n?|\n/).length;
    const problem = safeText`is not valid JSON: the error is on line ${line} (byte ${Buffer.byteLength(read) + 1})`;
    return { kind: 'broken', problem: pointTo(problem, { file, at: { text: read, offset: read.length } }) };
  }
  if (!isObject(reading.value)) {
    return { kind: 'broken', problem: pointTo(safeText`is JSON, but not an object`, { file, at: { pointer: '' } }) };
  }
  return { object: reading.value };
}

/** Reads a manifest, which is an object. `read` adds what is wrong with it to the problems. */
export function readManifest<T>(
  text: string,
  file: URL,
  read: (object: JsonObject, problems: Problems) => T,
): ManifestReading<T> {
  const document = readObject(text, file);
  if (!('object' in document)) return document;
  const problems = new Problems({ file, pointer: '' });
  const value = read(document.object, problems);
  return { kind: 'read', problems: problems.list, value };
}

export { isArray, isObject };

/** A non-blank string; null otherwise. */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

export function isTextArray(value: JsonValue | undefined): boolean {
  return isArray(value) && value.every((item) => typeof item === 'string');
}

/** The http(s) URL in a string, against `base` if it may be relative; null if it is not one. */
export function httpUrlOf(value: JsonValue | undefined, base?: URL): URL | null {
  const url = typeof value === 'string' && value.length <= ADDRESS_LIMITS.charsMax ? URL.parse(value, base) : null;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : null;
}

/** True if an address contains variables to fill in, so that it cannot be requested as it is. */
export function isTemplated(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /[{}<>]|%7[bd]/i.test(value);
}

/** A part of a document: its name for findings, null for the whole, and its JSON Pointer. */
export interface Part {
  readonly name: SafeText | null;
  readonly pointer: string;
}

export interface NamedPart extends Part {
  readonly name: SafeText;
}

/** A part within another one, such as "skill 3" or "extension 1 of "capabilities"". */
export function partOf(outer: Part, name: SafeText, ...steps: readonly (string | number)[]): NamedPart {
  return {
    name: outer.name === null ? name : safeText`${name} of ${outer.name}`,
    pointer: outer.pointer + steps.map(stepTo).join(''),
  };
}

/** A defect of a part, with the JSON Pointer of the defective value. */
export interface Fault {
  readonly text: SafeText;
  readonly pointer: string;
}

/** "lacks x", which is said of the whole part, or "has an invalid x", which points to the field. */
export function faultOf(member: JsonValue | undefined, field: SafeText, part: Part): Fault {
  const isAbsent = member === undefined || member === null || member === '';
  const text = isAbsent ? safeText`lacks "${field}"` : safeText`has an invalid "${field}"`;
  return {
    text: part.name === null ? text : safeText`${part.name} ${text}`,
    pointer: member === undefined ? part.pointer : part.pointer + stepTo(field.text),
  };
}

/** Collects what is wrong with a manifest, each problem once, with its place in the document. */
export class Problems {
  readonly list: SafeText[] = [];
  readonly root: Part;
  readonly #file: URL;
  readonly #seen = new Set<string>();

  constructor({ file, pointer }: Source) {
    this.#file = file;
    this.root = { name: null, pointer };
  }

  /** Enough problems were found, so the reader of a long list may stop. */
  get isFull(): boolean {
    return this.list.length >= MANIFEST_LIMITS.problemsMax;
  }

  add(problem: SafeText, { pointer }: Pick<Part, 'pointer'> = this.root): void {
    const key = `${pointer} ${problem.text}`;
    if (!this.#seen.has(key)) this.list.push(this.locate(problem, pointer));
    this.#seen.add(key);
  }

  /** The same text, which points to a value of the document. */
  locate(text: SafeText, pointer: string): SafeText {
    return pointTo(text, { file: this.#file, at: { pointer } });
  }

  /** Records that a field is missing or invalid. */
  require(holds: boolean, object: JsonObject, field: SafeText, part: Part = this.root): void {
    if (holds) return;
    const fault = faultOf(object.get(field.text), field, part);
    this.add(fault.text, fault);
  }
}
