import { type SafeText, addPlaces, safeText } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { parseHttpUrl, isTemplated } from '../addresses.js';
import { type JsonValue, isArray, isObject, parseJson, pointerStep } from '../json.js';

export type ManifestReading<T> =
  /** `value` is what could be read, even if there are problems; null if the text is not a JSON object. */
  | { readonly kind: 'read'; readonly problems: readonly SafeText[]; readonly value: T | null }
  /** unrelated: valid, but about something else. unknown: over one of our limits. */
  | { readonly kind: 'unrelated' | 'unknown'; readonly detail: SafeText };

export const OVER_LIMIT: ManifestReading<never> = {
  kind: 'unknown',
  detail: safeText`it is nested too deeply or has too many parts for this scanner`,
};

/** A value of a JSON document: its position, and its name in findings. */
export class JsonNode {
  constructor(
    /** The final URL of the document. */
    readonly file: URL,
    readonly value: JsonValue | undefined,
    /** JSON Pointer; empty for the whole document. */
    readonly pointer = '',
    /** Null for the whole document. */
    readonly name: SafeText | null = null,
  ) {}

  /** Returns a member or item. @param name for findings, such as "extension 1"; default: the name of this node */
  at(step: string | number, name: SafeText | null = null): JsonNode {
    const fullName = name && this.name ? safeText`${name} of ${this.name}` : (name ?? this.name);
    return new JsonNode(this.file, memberOf(this.value, step), this.pointer + pointerStep(step), fullName);
  }

  /** Names of the members of an object, or indexes of the items of a list. */
  get steps(): readonly (string | number)[] {
    return isArray(this.value) || isObject(this.value) ? [...this.value.keys()] : [];
  }

  /** Returns the items of a list, with names such as "skill 3"; none if the member is not a list. */
  items(field: string, title: SafeText): JsonNode[] {
    const list = this.at(field);
    const items = isArray(list.value) ? list.value.slice(0, MANIFEST_LIMITS.itemsMax) : [];
    return items.map((_, index) => list.at(index, safeText`${title} ${index + 1}`));
  }

  /** A non-blank string; null otherwise. */
  get text(): string | null {
    return typeof this.value === 'string' && this.value.trim() !== '' ? this.value : null;
  }

  /** Returns an http(s) URL that can be requested as it is, or null. @param base for a relative URL */
  webUrl(base?: URL): URL | null {
    return isTemplated(this.value) ? null : parseHttpUrl(this.value, base);
  }

  /** Describes a fault of this node: "skill 3 has the wrong type", with a pointer to it. */
  fault(text: SafeText): SafeText {
    return this.addPointer(this.name === null ? text : safeText`${this.name} ${text}`);
  }

  /** Describes a fault of a member: "lacks "tags"" or "has an invalid "tags"", with a pointer to it. */
  memberFault(field: SafeText): SafeText {
    const member = this.at(field.text);
    const isAbsent = member.value === undefined || member.value === null || member.value === '';
    const text = isAbsent ? safeText`lacks "${field}"` : safeText`has an invalid "${field}"`;
    return (member.value === undefined ? this : member).fault(text);
  }

  /** Returns the text with a pointer to this node. */
  addPointer(text: SafeText): SafeText {
    return addPlaces(text, { file: this.file, at: { pointer: this.pointer } });
  }
}

function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isArray(value)) return value[Number(step)];
  return isObject(value) ? value.get(String(step)) : undefined;
}

/** Reads the JSON document at this URL (RFC 8259, ignoring a BOM by §8.1), whose root must be an object. */
export function readManifest<T>(
  text: string,
  file: URL,
  read: (root: JsonNode) => ManifestReading<T>,
): ManifestReading<T> {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const reading = parseJson(text.slice(start), { containersMax: MANIFEST_LIMITS.containersMax });
  if (reading.kind === 'overLimit') return OVER_LIMIT;
  if (reading.kind === 'broken') {
    const problem =
      text.trim() === '' ? safeText`is empty` : describeFault(text.slice(0, start + reading.offset), file);
    return { kind: 'read', problems: [problem], value: null };
  }
  const root = new JsonNode(file, reading.value);
  if (isObject(root.value)) return read(root);
  return { kind: 'read', problems: [root.fault(safeText`is JSON, but not an object`)], value: null };
}

/** @param before the text up to the fault */
function describeFault(before: string, file: URL): SafeText {
  const line = before.split(/\r\n?|\n/).length;
  const problem = safeText`is not valid JSON: the error is on line ${line} (byte ${Buffer.byteLength(before) + 1})`;
  return addPlaces(problem, { file, at: { text: before, offset: before.length } });
}
