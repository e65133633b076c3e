import { createHash, type Hash } from 'node:crypto';
import { decodeBody, gunzipByMagic } from './content-coding.js';
import { type HopResponse, type ResponseHeaders, TransportError } from './transport.js';

/**
 * Receives decoded bytes as they arrive, which are then not stored; returns false to stop the transfer. `offset` is the chunk's position
 * in its body: 0 starts a new body, as each try does.
 */
export type Sink = (chunk: Uint8Array, offset: number) => boolean;

export interface BodyOptions {
  /** Most decoded bytes to read. */
  readonly bodyBytesMax: number;
  readonly sink: Sink | null;
  readonly gunzipByMagic: boolean;
}

/** The decoded part of a body that was read. */
export interface ReadBody {
  readonly body: Uint8Array;
  readonly byteCount: number;
  readonly isOverLimit: boolean;
  /** See SiteResponse. */
  readonly endsEarly?: string;
}

/** Reads a body to its end, so that its connection can be reused, or until one of our limits ends it. */
export async function readBody(answer: HopResponse, options: BodyOptions): Promise<ReadBody> {
  const hash = options.gunzipByMagic ? createHash('sha256') : null;
  const wire = hash ? hashed(answer.body, hash) : answer.body;
  const reading = new BodyReading(options);
  const decoded = decodeBody(wire, answer.headers.get('content-encoding'));
  try {
    await reading.read(hash ? gunzipByMagic(decoded) : decoded);
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure !== 'ends_early') throw error;
    // Without a length or chunks, it is unknown whether the answer itself was complete (RFC 9112 §8).
    if (!isFramed(answer.headers)) throw new TransportError('cut_off', { cause: error });
    if (hash === null) throw error;
    return { ...reading.result(), endsEarly: hash.digest('hex') };
  }
  return reading.result();
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function isFramed(headers: ResponseHeaders): boolean {
  return headers.get('content-length') !== null || /\bchunked\b/i.test(headers.get('transfer-encoding') ?? '');
}

/** Reads decoded bytes up to the limit, and passes them to the sink or stores them. */
class BodyReading {
  readonly #bytes = new ByteBuffer();
  #byteCount = 0;
  #isOverLimit = false;

  constructor(private readonly options: BodyOptions) {}

  async read(decoded: AsyncIterable<Uint8Array>): Promise<void> {
    const { bodyBytesMax, sink } = this.options;
    for await (const chunk of decoded) {
      const part = chunk.subarray(0, bodyBytesMax - this.#byteCount);
      const isWanted = sink === null || sink(part, this.#byteCount);
      if (sink === null) this.#bytes.add(part);
      this.#byteCount += part.length;
      this.#isOverLimit = part.length < chunk.length || !isWanted;
      if (this.#isOverLimit) break;
    }
  }

  result(): ReadBody {
    return { body: this.#bytes.take(), byteCount: this.#byteCount, isOverLimit: this.#isOverLimit };
  }
}

const PART_BYTES = 16_384;

/** Yields a body in parts, so that its reader can stop early. */
export async function* inParts(body: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += PART_BYTES) {
    signal.throwIfAborted();
    yield body.subarray(at, at + PART_BYTES);
  }
}

const BLOCK_BYTES = 65_536;

/** Appends chunks to shared blocks, since a million stored chunks of one byte would take a hundred times their length. */
export class ByteBuffer {
  readonly #full: Uint8Array<ArrayBuffer>[] = [];
  #block = new Uint8Array(0);
  #used = 0;

  add(part: Uint8Array): void {
    for (let at = 0; at < part.length;) {
      if (this.#used === this.#block.length) this.#addBlock(part.length - at);
      const slice = part.subarray(at, at + this.#block.length - this.#used);
      this.#block.set(slice, this.#used);
      this.#used += slice.length;
      at += slice.length;
    }
  }

  take(): Uint8Array {
    const whole = Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)]);
    // Frees the blocks now: until the next garbage collection, they would double the memory of the body.
    for (const { buffer } of this.#full) buffer.transfer(0);
    this.#full.length = 0;
    return whole;
  }

  #addBlock(bytes: number): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = new Uint8Array(Math.min(Math.max(bytes, 1024, 2 * this.#used), BLOCK_BYTES));
    this.#used = 0;
  }
}
