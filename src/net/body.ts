import { type Transform, pipeline } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { TransportError } from './failure.js';
import type { HopResponse, ResponseHeaders } from './transport.js';

/**
 * Receives decoded bytes as they arrive; returns false to stop the transfer. With a sink, only the start of the body is stored.
 * `offset` is the chunk's position in the body; a retry starts again at 0.
 */
export type Sink = (chunk: Uint8Array, offset: number) => boolean;

/** Bytes stored from the start of a body with a sink: enough to recognise a page or a challenge. */
const SINK_START_BYTES = 16_384;

export interface BodyOptions {
  /** Most decoded bytes to read. */
  readonly bodyBytesMax: number;
  readonly sink: Sink | null;
}

/** The decoded part of a body that was read. */
export interface ReadBody {
  readonly body: Uint8Array;
  readonly byteCount: number;
  readonly isOverLimit: boolean;
  /** See SiteResponse. */
  readonly endsEarly?: number;
}

/** Bytes passed to a sink before it yields to the event loop. */
const TURN_BYTES = 131_072;

type Chunks = AsyncIterable<Uint8Array>;

/** Reads a body to its end, so that its connection can be reused, or up to one of our limits. */
export async function readBody({ headers, body }: HopResponse, options: BodyOptions): Promise<ReadBody> {
  const { bodyBytesMax, sink } = options;
  let sentBytes = 0;
  const sent = (async function* () {
    for await (const chunk of body) {
      sentBytes += chunk.length;
      yield chunk;
    }
  })();
  const decoded = decode(sent, decoderOf(headers.get('content-encoding')));
  const bytes = new ByteBuffer();
  let byteCount = 0;
  let isOverLimit = false;
  try {
    for await (const chunk of sink === null ? decoded : decode(decoded, gunzipIfMagic)) {
      const part = chunk.subarray(0, bodyBytesMax - byteCount);
      const isWanted = sink === null || sink(part, byteCount);
      bytes.add(sink === null ? part : part.subarray(0, Math.max(0, SINK_START_BYTES - byteCount)));
      byteCount += part.length;
      isOverLimit = part.length < chunk.length || !isWanted;
      if (isOverLimit) break;
      if (sink !== null && byteCount % TURN_BYTES < part.length) await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure !== 'ends_early') throw error;
    // Without Content-Length or chunked encoding, the response itself may be incomplete (RFC 9112 §8).
    if (!isFramed(headers)) throw new TransportError('cut_off', { cause: error });
    if (sink === null) throw error;
    return { body: bytes.take(), byteCount, isOverLimit, endsEarly: sentBytes };
  }
  return { body: bytes.take(), byteCount, isOverLimit };
}

function isFramed(headers: ResponseHeaders): boolean {
  return headers.get('content-length') !== null || /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
}

/** Appends chunks to one block, since a million one-byte chunks would take a hundred times their length in memory. */
export class ByteBuffer {
  #bytes = new Uint8Array(1024);
  #used = 0;

  add(part: Uint8Array): void {
    const needed = this.#used + part.length;
    if (needed > this.#bytes.length) this.#resize(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.set(part, this.#used);
    this.#used = needed;
  }

  take(): Uint8Array {
    this.#resize(this.#used);
    const whole = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#used = 0;
    return whole;
  }

  /** Frees the old block at once. Until the next garbage collection, it would double the body's memory. */
  #resize(length: number): void {
    this.#bytes = new Uint8Array(this.#bytes.buffer.transfer(length));
  }
}

export const ACCEPT_ENCODING = 'gzip, br';

/** Header values that mean no coding; most of them are common mistakes. */
const NO_CODINGS = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'utf8']);

/** Creates the decoder of a body from its first bytes (at least one); null for a body without a coding. */
type DecoderFor = (head: Uint8Array) => Transform | null;

/**
 * Returns the decoder for a Content-Encoding. Rejects nested codings and those that we did not offer: nesting multiplies, and one brotli
 * layer already turns 809 bytes into 512 MiB.
 */
function decoderOf(contentEncoding: string | null): DecoderFor {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  return () => {
    if (NO_CODINGS.has(coding)) return null;
    if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
    if (coding === 'br') return createBrotliDecompress();
    throw new TransportError('bad_encoding');
  };
}

/** Decompresses a body that starts with the gzip magic bytes, such as sitemap.xml.gz, regardless of its header. */
const gunzipIfMagic: DecoderFor = (head) => (head[0] === 0x1f && head[1] === 0x8b ? createGunzip() : null);

const MAGIC_BYTES = 2;

/** Decodes a body. An empty one is valid under every coding. */
async function* decode(body: Chunks, decoderFor: DecoderFor): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= MAGIC_BYTES) break;
  }
  const decoder = head.length === 0 ? null : decoderFor(head);
  const whole = prepend(head, iterator);
  yield* decoder ? inflate(whole, decoder) : whole;
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Decodes with back-pressure, in chunks of at most 16 KiB, so that a consumer can stop after any of them. */
async function* inflate(source: Chunks, decoder: Transform): AsyncGenerator<Uint8Array> {
  // pipeline requires a callback; every error also arrives through the iteration.
  pipeline(source, decoder, () => undefined);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof TransportError) throw error;
    // zlib reports a premature end of input as a buffer error.
    const endsEarly = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
    throw new TransportError(endsEarly ? 'ends_early' : 'bad_encoding', { cause: error });
  }
}
