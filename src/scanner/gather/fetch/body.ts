import { EventLoopYielder } from '../../evidence/event-loop.js';
import { decodeBody, gunzipByMagic } from './content-coding.js';
import type { HopResponse } from './transport.js';
import type { FetchOptions } from './visit.js';

/** Takes decoded bytes instead of keeping them; stops the transfer by returning false. */
export type Sink = NonNullable<FetchOptions['sink']>;

export interface BodyOptions {
  /** Most decoded bytes to keep or, with a sink, to read. */
  readonly bodyBytesMax: number;
  readonly sink: Sink | null;
  readonly gunzipByMagic: boolean;
}

/** The decoded part of a body that was read. */
export interface ReadBody {
  readonly body: Uint8Array;
  readonly byteCount: number;
  readonly isOverLimit: boolean;
}

/** Reads a body to its end, so that its connection can be reused, or until one of our limits ends it. */
export async function readBody(answer: HopResponse, options: BodyOptions): Promise<ReadBody> {
  const { bodyBytesMax, sink } = options;
  const decoded = decodeBody(answer.body, answer.headers.get('content-encoding'));
  const kept = new KeptBytes();
  let byteCount = 0;
  let isOverLimit = false;
  const yielder = new EventLoopYielder();
  for await (const chunk of options.gunzipByMagic ? gunzipByMagic(decoded) : decoded) {
    const part = chunk.subarray(0, bodyBytesMax - byteCount);
    const isWanted = sink === null || sink(part, byteCount);
    if (sink === null) kept.add(part);
    byteCount += part.length;
    isOverLimit = part.length < chunk.length || !isWanted;
    if (isOverLimit) break;
    // Available chunks arrive without a turn of the event loop, and a sink parses them as they come.
    if (yielder.isDue) await yielder.yieldNow();
  }
  return { body: kept.take(), byteCount, isOverLimit };
}

const BLOCK_BYTES = 65_536;

/** Bytes appended to shared blocks: a million chunks of one byte would take a hundred times their length. */
export class KeptBytes {
  readonly #full: Uint8Array[] = [];
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
    return Buffer.concat([...this.#full, this.#block.subarray(0, this.#used)]);
  }

  #addBlock(bytes: number): void {
    if (this.#used > 0) this.#full.push(this.#block);
    this.#block = new Uint8Array(Math.min(Math.max(bytes, 1024, 2 * this.#used), BLOCK_BYTES));
    this.#used = 0;
  }
}
