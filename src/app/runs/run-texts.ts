import { createHash } from 'node:crypto';
import { defineQuery, jsonRows } from '../../store/query.js';
import type { Database } from '../../store/database.js';
import { execute, type Transaction } from '../../store/transaction.js';
import type { RunResponse } from './run.js';

/**
 * A run repeats the registry's texts of its day: seven eighths of its bytes, and the same in all runs of a release. So they are stored
 * once, by the digest of their content, and never changed or removed (see the guards of the schema). In the body of a run a mark and the
 * digest stand for each; put back, the body is byte for byte what it was.
 */

/** Begins a reference: no JSON text holds this character. */
const MARK = '\u0001';
const DIGEST_CHARS = 64;

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

const selectTexts = defineQuery<{ digest: string; body: string }, { digests: string }>((sql, { digests }) =>
  sql('texts')
    .select('texts.digest', 'texts.body')
    .join(jsonRows(sql, digests, ['digest']), 'given.digest', 'texts.digest'),
);

/** Puts the texts back into bodies of runs. It keeps those that it has read: a release has a few dozen. */
export class RunTexts {
  readonly #texts = new Map<string, Buffer>();

  constructor(private readonly db: Pick<Database, 'run'>) {}

  /**
   * The body as it was before it was stored.
   * @throws Error for a text that is missing or changed
   */
  async unpack(packed: Uint8Array): Promise<Buffer> {
    const body = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
    const missing = referencesOf(body).filter((digest) => !this.#texts.has(digest));
    if (missing.length > 0) await this.#read(missing);
    const parts: Buffer[] = [];
    let from = 0;
    for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, from)) {
      const end = at + 1 + DIGEST_CHARS;
      parts.push(body.subarray(from, at), this.#textOf(body.toString('latin1', at + 1, end)));
      from = end;
    }
    return from === 0 ? body : Buffer.concat([...parts, body.subarray(from)]);
  }

  async #read(digests: readonly string[]): Promise<void> {
    const rows = await this.db.run(selectTexts({ digests: JSON.stringify(digests.map((digest) => ({ digest }))) }));
    for (const { digest, body } of rows) if (digestOf(body) === digest) this.#texts.set(digest, Buffer.from(body));
  }

  #textOf(digest: string): Buffer {
    const text = this.#texts.get(digest);
    if (!text) throw new Error(`the text ${digest} of a run is missing or changed`);
    return text;
  }
}

function referencesOf(body: Buffer): string[] {
  const digests: string[] = [];
  for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, at + 1)) {
    digests.push(body.toString('latin1', at + 1, at + 1 + DIGEST_CHARS));
  }
  return digests;
}
