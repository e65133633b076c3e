import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { defineQuery, jsonRows } from '../../store/query.js';
import { type Database, runApart } from '../../store/database.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import type { RunResponse } from './run.js';
import { DICTIONARY_2 } from './run-dictionary.js';

/**
 * A run repeats the registry's texts of its day: seven eighths of its bytes, and the same in all runs of a release. So they are stored
 * once, by the digest of their content, and never changed or removed (see the guards of the schema). In the body of a run a mark and the
 * digest, or a part of it, stand for each; put back, the body is byte for byte what it was.
 */

/**
 * In which form new bodies are stored; each is read whatever this says. 1: with whole digests. 2: with a part of each, and compressed:
 * a quarter of the bytes, which versions up to 0.4.0 cannot read.
 */
export type RunFormat = 1 | 2;
export const RUN_FORMATS: readonly RunFormat[] = [1, 2];

/** The first byte of a body of form 2; the JSON of form 1 begins with a brace. What follows is compressed by deflate (RFC 1951). */
const FORM_2 = 2;

/** References begin with a character that no JSON text holds. */
const REFERENCES = /\u0001[0-9a-f]{64}|\u0002[\w-]{12}/g;
/** Of SHA-256, 72 bits: that two of a few thousand texts share them is less likely than one in 10^14. */
const SHORT_BYTES = 9;

function referencesTo(digest: string): Readonly<Record<RunFormat, string>> {
  return { 1: `\u0001${digest}`, 2: `\u0002${Buffer.from(prefixOf(digest), 'hex').toString('base64url')}` };
}

/** With what the digest of a text begins, from the digest or its part in base64url. */
function prefixOf(digest: string): string {
  const isShort = digest.length < SHORT_BYTES * 2;
  return isShort ? Buffer.from(digest, 'base64url').toString('hex') : digest.slice(0, SHORT_BYTES * 2);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A run as it is stored: its body with references, and the texts that they stand for. */
export interface PackedRun {
  /** What is sent: the serialised RunResponse. */
  readonly whole: Buffer;
  readonly packed: Buffer;
  /** By digest. */
  readonly texts: ReadonlyMap<string, string>;
}

export function packRun(response: RunResponse, format: RunFormat): PackedRun {
  const texts = new Map<string, string>();
  const whole = JSON.stringify(response);
  let body = whole;
  for (const { title, explanation, fix } of response.findings) {
    const text = JSON.stringify({ title, explanation, fix }).slice(1, -1);
    const digest = digestOf(text);
    texts.set(digest, text);
    body = body.replaceAll(text, referencesTo(digest)[format]);
  }
  return { whole: Buffer.from(whole), packed: format === 1 ? Buffer.from(body) : compress(body), texts };
}

function compress(body: string): Buffer {
  return Buffer.concat([Buffer.of(FORM_2), deflateRawSync(body, { level: 9, dictionary: DICTIONARY_2 })]);
}

/** The body with its references. @throws Error for one that is damaged */
function bodyOf(packed: Uint8Array): string {
  const stored = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const body = stored[0] === FORM_2 ? inflateRawSync(stored.subarray(1), { dictionary: DICTIONARY_2 }) : stored;
  return body.toString();
}

/**
 * The findings of a packed body as they stand there: all but what the registry says of their checks.
 * @throws Error for a body that is damaged
 */
export function findingsOfPacked(packed: Uint8Array): RunResponse['findings'] {
  const body = bodyOf(packed).replaceAll(REFERENCES, '"title":null,"explanation":null,"fix":null');
  return (JSON.parse(body) as RunResponse).findings;
}

/** Stores the texts that are not there yet. */
export function storeTexts(texts: ReadonlyMap<string, string>): Transaction<void> {
  // In one order, so that two transactions with the same new texts never wait for each other.
  const rows = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([digest, body]) => ({ digest, body }));
  return execute(insertTexts({ texts: JSON.stringify(rows) }));
}

const insertTexts = defineQuery<never, { texts: string }>((sql, { texts }) =>
  sql.raw(
    `INSERT INTO texts (digest, body) SELECT digest, body FROM ?
      WHERE NOT EXISTS (SELECT 1 FROM texts WHERE texts.digest = given.digest) ON CONFLICT (digest) DO NOTHING`,
    [jsonRows(sql, texts, ['digest', 'body'])],
  ),
);

interface TextRow {
  readonly digest: string;
  readonly body: string;
}

/** By what their digests begin with; `g` follows every digit of them. */
const selectTexts = defineQuery<TextRow, { prefixes: string }>((sql, { prefixes }) =>
  sql('texts')
    .select('texts.digest', 'texts.body')
    .join(jsonRows(sql, prefixes, ['prefix']), (on) =>
      on.on('texts.digest', '>=', 'given.prefix').andOn('texts.digest', '<', sql.raw("given.prefix || 'g'")),
    ),
);

/** Puts the texts back into bodies of runs. It keeps those that it has read: a release has a few dozen. */
export class RunTexts {
  /** By reference, of either form. */
  readonly #texts = new Map<string, string>();

  constructor(private readonly db: Pick<Database, 'run'>) {}

  /**
   * The body as it was before it was stored.
   * @throws Error for a body that is damaged, and for a text that is missing or changed
   */
  unpack(packed: Uint8Array): Promise<Buffer> {
    return runApart(this.db, this.unpackWithin(packed));
  }

  /**
   * The same within a transaction.
   * @throws Error for a body that is damaged, and for a text that is missing or changed
   */
  *unpackWithin(packed: Uint8Array): Transaction<Buffer> {
    const body = bodyOf(packed);
    const missing = body.match(REFERENCES)?.filter((reference) => !this.#texts.has(reference)) ?? [];
    if (missing.length > 0) {
      const prefixes = missing.map((reference) => ({ prefix: prefixOf(reference.slice(1)) }));
      this.#keep(yield* all(selectTexts({ prefixes: JSON.stringify(prefixes) })));
    }
    return Buffer.from(body.replaceAll(REFERENCES, (reference) => this.#textOf(reference)));
  }

  #textOf(reference: string): string {
    const text = this.#texts.get(reference);
    if (text === undefined) throw new Error(`the text ${reference.slice(1)} of a run is missing or changed`);
    return text;
  }

  #keep(rows: readonly TextRow[]): void {
    for (const { digest, body } of rows.filter((row) => digestOf(row.body) === row.digest)) {
      for (const reference of Object.values(referencesTo(digest))) this.#texts.set(reference, body);
    }
  }
}
