import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { LARGE_BYTES, TransportError } from './transport.js';

/** The codings that we can undo, and therefore advertise. */
export const ACCEPT_ENCODING = 'gzip, br';

/** Header values of bodies that are not coded; those that are not codings are common mistakes. */
const NO_CODINGS = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'utf8']);

/** Waits until there is room for so many bytes. */
export type AwaitRoom = (bytes: number) => Promise<void>;

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Undoes the one content coding that the header names. A second coding, or one that we did not ask for, is bad_encoding: nested
 * codings multiply, and 512 MiB of zeros are 809 bytes of brotli already. A body of no bytes is empty under every coding.
 * @param awaitRoom is asked before a decoder that keeps a large window of what it has decoded: 4 MiB are usual for brotli
 */
export function decodeBody(
  wire: Chunks,
  contentEncoding: string | null,
  awaitRoom: AwaitRoom = () => Promise.resolve(),
): Chunks {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  return NO_CODINGS.has(coding) ? wire : undo(coding, wire, awaitRoom);
}

async function* undo(coding: string, wire: Chunks, awaitRoom: AwaitRoom): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(wire, 1);
  const [first] = head;
  if (first === undefined) return;
  if (coding === 'gzip' || coding === 'x-gzip') yield* inflate(whole, createGunzip());
  else if (coding !== 'br') throw new TransportError('bad_encoding');
  else {
    const windowBytes = brotliWindowBytes(first);
    if (windowBytes > LARGE_BYTES) await awaitRoom(windowBytes);
    yield* inflate(whole, createBrotliDecompress());
  }
}

/** How far back a brotli stream may refer, by its first byte (RFC 7932 §9.1): the decoder keeps so many bytes. */
export function brotliWindowBytes(first: number): number {
  if ((first & 1) === 0) return 2 ** 16;
  const large = (first >> 1) & 7;
  if (large > 0) return 2 ** (17 + large);
  const small = (first >> 4) & 7;
  return 2 ** (small === 0 ? 17 : 8 + small);
}

/** Undoes gzip recognised by a body's first two bytes, such as a sitemap.xml.gz, whatever its header says. */
export async function* gunzipByMagic(body: Chunks): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(body, 2);
  yield* head[0] === 0x1f && head[1] === 0x8b ? inflate(whole, createGunzip()) : whole;
}

/** The first bytes of a body, and the complete body including them. */
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

/** Streams with back-pressure, so that a consumer that counts decoded bytes can stop at any chunk of at most 16 KiB. */
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
