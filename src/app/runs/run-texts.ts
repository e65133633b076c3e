import { createHash } from 'node:crypto';
import { defineQuery, jsonRows, type Query } from '../../store/query.js';
import { type Database, runApart } from '../../store/database.js';
import { all, execute, type Transaction } from '../../store/transaction.js';
import type { RunResponse } from './run.js';

/**
 * A run repeats the registry's texts of its day: seven eighths of its bytes, and the same in all runs of a release. So they are stored
 * once, by the digest of their content, and never changed or removed (see the guards of the schema). In the body of a run a mark and the
 * digest stand for each; put back, the body is byte for byte what it was.
 */

/** Begins a reference: no JSON text holds this character. */
const MARK_BYTE = 0x01;
const MARK = String.fromCharCode(MARK_BYTE);
/** SHA-256 in hexadecimal digits. */
const DIGEST_CHARS = 64;
const REFERENCE_BYTES = 1 + DIGEST_CHARS;
const REFERENCES = new RegExp(`${MARK}[0-9a-f]{${DIGEST_CHARS}}`, 'g');

/** A run as it is stored: its body with references, and the texts that they stand for. */
export interface PackedRun {
  /** What is sent: the serialised RunResponse. */
  readonly whole: Buffer;
  readonly packed: Buffer;
  /** By digest. */
  readonly texts: ReadonlyMap<string, string>;
}

export function packRun(response: RunResponse): PackedRun {
  const texts = new Map<string, string>();
  const whole = JSON.stringify(response);
  let packed = whole;
  for (const { title, explanation, fix } of response.findings) {
    const text = JSON.stringify({ title, explanation, fix }).slice(1, -1);
    const digest = digestOf(text);
    texts.set(digest, text);
    packed = packed.replaceAll(text, MARK + digest);
  }
  return { whole: Buffer.from(whole), packed: Buffer.from(packed), texts };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The findings of a packed body as they stand there: all but what the registry says of their checks. */
export function findingsOfPacked(packed: Uint8Array): RunResponse['findings'] {
  const body = viewOf(packed).toString().replaceAll(REFERENCES, '"title":null,"explanation":null,"fix":null');
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

const selectTexts = defineQuery<TextRow, { digests: string }>((sql, { digests }) =>
  sql('texts')
    .select('texts.digest', 'texts.body')
    .join(jsonRows(sql, digests, ['digest']), 'given.digest', 'texts.digest'),
);

interface KnownText {
  readonly digest: Buffer;
  readonly text: Buffer;
}

/** Puts the texts back into bodies of runs. It keeps those that it has read: a release has a few dozen. */
export class RunTexts {
  /** By the first bytes of the digest, as a number: a read looks for eighteen, and strings of them would take most of its time. */
  readonly #texts = new Map<number, KnownText[]>();

  constructor(private readonly db: Pick<Database, 'run'>) {}

  /**
   * The body as it was before it was stored.
   * @throws Error for a text that is missing or changed
   */
  unpack(packed: Uint8Array): Promise<Buffer> {
    return runApart(this.db, this.unpackWithin(packed));
  }

  /**
   * The same within a transaction.
   * @throws Error for a text that is missing or changed
   */
  *unpackWithin(packed: Uint8Array): Transaction<Buffer> {
    const body = viewOf(packed);
    const marks = marksOf(body);
    if (marks.length === 0) return body;
    let texts = marks.map((at) => this.#find(body, at));
    if (texts.includes(undefined)) {
      this.#keep(yield* all(queryMissing(body, marks, texts)));
      texts = marks.map((at) => this.#find(body, at));
    }
    return fill(body, marks, texts);
  }

  #find(body: Buffer, at: number): Buffer | undefined {
    const candidates = this.#texts.get(keyAt(body, at + 1));
    return candidates?.find(({ digest }) => body.compare(digest, 0, DIGEST_CHARS, at + 1, at + REFERENCE_BYTES) === 0)
      ?.text;
  }

  #keep(rows: readonly TextRow[]): void {
    for (const row of rows.filter(({ digest, body }) => digestOf(body) === digest)) {
      const digest = Buffer.from(row.digest);
      const key = keyAt(digest, 0);
      this.#texts.set(key, [...(this.#texts.get(key) ?? []), { digest, text: Buffer.from(row.body) }]);
    }
  }
}

function viewOf(packed: Uint8Array): Buffer {
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
}

/** Reads the texts that were not found. */
function queryMissing(body: Buffer, marks: readonly number[], texts: readonly (Buffer | undefined)[]): Query<TextRow> {
  const missing = marks.filter((_, index) => !texts[index]).map((at) => ({ digest: digestAt(body, at) }));
  return selectTexts({ digests: JSON.stringify(missing) });
}

/** The body with the texts in place of the references. @throws Error for a text that is missing */
function fill(body: Buffer, marks: readonly number[], texts: readonly (Buffer | undefined)[]): Buffer {
  let bytes = body.length - marks.length * REFERENCE_BYTES;
  for (const text of texts) bytes += text?.length ?? 0;
  const whole = Buffer.allocUnsafe(bytes);
  let [to, from] = [0, 0];
  for (let index = 0; index < marks.length; index += 1) {
    const [at, text] = [marks[index] ?? 0, texts[index]];
    if (!text) throw new Error(`the text ${digestAt(body, at)} of a run is missing or changed`);
    to += body.copy(whole, to, from, at);
    to += text.copy(whole, to);
    from = at + REFERENCE_BYTES;
  }
  body.copy(whole, to, from);
  return whole;
}

/** Where the references of a body begin. */
function marksOf(body: Buffer): number[] {
  const marks: number[] = [];
  for (let at = body.indexOf(MARK_BYTE); at !== -1; at = body.indexOf(MARK_BYTE, at + REFERENCE_BYTES)) marks.push(at);
  return marks;
}

function digestAt(body: Buffer, at: number): string {
  return body.toString('latin1', at + 1, at + REFERENCE_BYTES);
}

function keyAt(bytes: Buffer, at: number): number {
  return bytes.readUIntBE(at, 6);
}
