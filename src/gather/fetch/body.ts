import { decodeBody, gunzipByMagic } from './content-coding.js';
import type { HopResponse } from './transport.js';
import type { FetchOptions } from './visit.js';

/** Takes decoded bytes instead of their being kept; stops the transfer by answering false. */
export type Sink = NonNullable<FetchOptions['sink']>;

export interface BodyOptions {
  /** Most decoded bytes to keep, or, with a sink, to read. */
  readonly bodyBytesMax: number;
  readonly sink: Sink | null;
  readonly gunzipByMagic: boolean;
}

/** What was read of a body, decoded. */
export interface ReadBody {
  readonly body: Uint8Array;
  readonly byteCount: number;
  readonly isOverLimit: boolean;
}

/** Reads a body to its end, so that its connection can be used again, or until a limit of ours ends it. */
export async function readBody(answer: HopResponse, options: BodyOptions): Promise<ReadBody> {
  const { bodyBytesMax, sink } = options;
  const decoded = decodeBody(answer.body, answer.headers.get('content-encoding'));
  const kept: Uint8Array[] = [];
  let byteCount = 0;
  let isOverLimit = false;
  for await (const chunk of options.gunzipByMagic ? gunzipByMagic(decoded) : decoded) {
    const part = chunk.subarray(0, bodyBytesMax - byteCount);
    const isWanted = sink === null ? kept.push(part) > 0 : sink(part, byteCount);
    byteCount += part.length;
    isOverLimit = part.length < chunk.length || !isWanted;
    if (isOverLimit) break;
  }
  return { body: Buffer.concat(kept), byteCount, isOverLimit };
}
