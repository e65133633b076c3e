import { EventLoopYielder } from '../../net/event-loop.js';

/** A JSON value with objects as Maps in source order, so that no key (`__proto__`) can affect a JavaScript object. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export interface JsonLimits {
  /** How deep arrays and objects may nest. */
  readonly depthMax: number;
  /** How many arrays and objects there may be. */
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
      /** The character at which an object of the value begins. */
      readonly offsets: WeakMap<JsonObject, number>;
    }
  | { readonly kind: 'broken'; readonly offset: number }
  | { readonly kind: 'overLimit' };

/** How many values are read between two checks of the time. */
const VALUES_PER_LOOK = 1_000;

/**
 * Parses JSON (RFC 8259), yielding to other work. Unlike `JSON.parse`, whose message quotes the text and whose position depends
 * on the engine, it reports where the fault is, keeps keys in source order and enforces its limits. It does not recurse. Of
 * duplicate keys the last wins.
 */
export async function parseJson(text: string, limits: JsonLimits): Promise<JsonReading> {
  const reader = new JsonReader(text, limits);
  const yielder = new EventLoopYielder();
  for (;;) {
    const reading = reader.read(VALUES_PER_LOOK);
    if (reading) return reading;
    if (yielder.isDue) await yielder.yieldNow();
  }
}

const BROKEN = new Error('not JSON');
const OVER_LIMIT = new Error('over a limit');

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERALS: ReadonlyMap<string, { readonly text: string; readonly value: boolean | null }> = new Map([
  ['t', { text: 'true', value: true }],
  ['f', { text: 'false', value: false }],
  ['n', { text: 'null', value: null }],
]);

type Frame =
  | { readonly kind: 'array'; readonly items: JsonValue[] }
  | { readonly kind: 'object'; readonly entries: Map<string, JsonValue>; key: string };

class JsonReader {
  offset = 0;
  containerCount = 0;
  readonly #stack: Frame[] = [];
  readonly #offsets = new WeakMap<JsonObject, number>();

  constructor(
    readonly text: string,
    readonly limits: JsonLimits,
  ) {}

  /** Reads up to this many values; null if the document has not ended by then. */
  read(valuesMax: number): JsonReading | null {
    try {
      for (let left = valuesMax; left > 0; left -= 1) {
        this.#skipSpace();
        const value = this.#readValue();
        const document = value === undefined ? undefined : this.#attach(value);
        if (document === undefined) continue;
        return { kind: 'value', value: document, containerCount: this.containerCount, offsets: this.#offsets };
      }
      return null;
    } catch (error) {
      if (error === OVER_LIMIT) return { kind: 'overLimit' };
      if (error === BROKEN) return { kind: 'broken', offset: this.offset };
      throw error;
    }
  }

  /** A complete value; undefined if a container was opened whose first value comes next. */
  #readValue(): JsonValue | undefined {
    const character = this.text[this.offset];
    if (character === '"') return this.#readString();
    if (character === '[') return this.#open({ kind: 'array', items: [] }, ']');
    if (character === '{') return this.#open({ kind: 'object', entries: new Map(), key: '' }, '}');
    const literal = LITERALS.get(character ?? '');
    if (literal && this.text.startsWith(literal.text, this.offset)) {
      this.offset += literal.text.length;
      return literal.value;
    }
    NUMBER.lastIndex = this.offset;
    if (!NUMBER.test(this.text)) throw BROKEN;
    const number = this.text.slice(this.offset, NUMBER.lastIndex);
    this.offset = NUMBER.lastIndex;
    return Number(number);
  }

  #open(frame: Frame, close: string): JsonValue | undefined {
    this.containerCount += 1;
    if (this.#stack.length >= this.limits.depthMax || this.containerCount > this.limits.containersMax) throw OVER_LIMIT;
    if (frame.kind === 'object') this.#offsets.set(frame.entries, this.offset);
    this.offset += 1;
    this.#skipSpace();
    if (this.text[this.offset] === close) {
      this.offset += 1;
      return valueOf(frame);
    }
    this.#stack.push(frame);
    if (frame.kind === 'object') frame.key = this.#readKey();
    return undefined;
  }

  /**
   * Attaches a complete value to its container, closing containers that end; returns the document's value once nothing is open.
   */
  #attach(whole: JsonValue): JsonValue | undefined {
    let value = whole;
    for (;;) {
      this.#skipSpace();
      const frame = this.#stack.at(-1);
      if (!frame) {
        if (this.offset < this.text.length) throw BROKEN;
        return value;
      }
      if (frame.kind === 'array') frame.items.push(value);
      else this.#put(frame.entries, frame.key, value);
      const character = this.text[this.offset];
      if (character !== ',' && character !== (frame.kind === 'array' ? ']' : '}')) throw BROKEN;
      this.offset += 1;
      if (character === ',') {
        this.#skipSpace();
        if (frame.kind === 'object') frame.key = this.#readKey();
        return undefined;
      }
      this.#stack.pop();
      value = valueOf(frame);
    }
  }

  #put(entries: Map<string, JsonValue>, key: string, value: JsonValue): void {
    entries.set(key, value);
    if (entries.size > (this.limits.keysMax ?? Infinity)) throw OVER_LIMIT;
  }

  #readKey(): string {
    if (this.text[this.offset] !== '"') throw BROKEN;
    const key = this.#readString();
    this.#skipSpace();
    if (this.text[this.offset] !== ':') throw BROKEN;
    this.offset += 1;
    return key;
  }

  #readString(): string {
    const start = this.offset;
    let hasEscape = false;
    for (this.offset += 1; this.offset < this.text.length; this.offset += 1) {
      const code = this.text.charCodeAt(this.offset);
      if (code === 0x22) {
        this.offset += 1;
        const literal = this.text.slice(start, this.offset);
        return hasEscape ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      }
      if (code < 0x20) throw BROKEN;
      if (code === 0x5c) {
        hasEscape = true;
        this.#skipEscape();
      }
    }
    throw BROKEN;
  }

  /** From the backslash to the last character of its escape. */
  #skipEscape(): void {
    const kind = this.text[this.offset + 1];
    if (kind === undefined || !'"\\/bfnrtu'.includes(kind)) throw BROKEN;
    if (kind === 'u' && !/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.offset + 2, this.offset + 6))) throw BROKEN;
    this.offset += kind === 'u' ? 5 : 1;
  }

  #skipSpace(): void {
    for (; this.offset < this.text.length; this.offset += 1) {
      const code = this.text.charCodeAt(this.offset);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }
}

function valueOf(frame: Frame): JsonValue {
  return frame.kind === 'array' ? frame.items : frame.entries;
}
