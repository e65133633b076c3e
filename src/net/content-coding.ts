import { type Transform, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { TransportError } from './transport.js';

/** The codings that we can decode. */
export const ACCEPT_ENCODING = 'gzip, br';

/** Header values that mean no coding; most of them are common mistakes. */
const NO_CODINGS = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'utf8']);

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Decodes the content coding that the header names. A second coding, or one that we did not offer, is bad_encoding: nested codings
 * multiply, and one brotli layer turns 809 bytes into 512 MiB. An empty body is valid under every coding.
 */
export function decodeBody(wire: Chunks, contentEncoding: string | null): Chunks {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  return NO_CODINGS.has(coding) ? wire : decode(coding, wire);
}

async function* decode(coding: string, wire: Chunks): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(wire, 1);
  if (head.length === 0) return;
  if (coding === 'gzip' || coding === 'x-gzip') yield* inflate(whole, createGunzip());
  else if (coding === 'br') yield* inflate(whole, createBrotliDecompress());
  else throw new TransportError('bad_encoding');
}

/** Decompresses a body that starts with the gzip magic bytes, such as sitemap.xml.gz, whatever its header says. */
export async function* gunzipByMagic(body: Chunks): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(body, 2);
  yield* head[0] === 0x1f && head[1] === 0x8b ? inflate(whole, createGunzip()) : whole;
}

/** Returns the first bytes of a body, and the complete body including them. */
async function peek(body: Chunks, bytes: number): Promise<{ head: Uint8Array; whole: Chunks }> {
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let length = 0; length < bytes; length += chunks.at(-1)?.length ?? 0) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
  }
  const head = Buffer.concat(chunks);
  return { head, whole: prepend(head, iterator) };
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Streams with back-pressure, so that a consumer can stop after any chunk of at most 16 KiB. */
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
