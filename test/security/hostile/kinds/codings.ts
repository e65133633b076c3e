import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Behave } from '../host.js';
import { answer, floodAfter, OK_HEAD, say, type WireKind, wireKinds } from '../wire-kind.js';

const PAGE = '<!doctype html><html lang="en"><title>Page</title><h1>Page</h1>';

/** Made once, when the first site needs it. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

const ZEROS_BYTES = 256 * 1_048_576;
const gzipBomb = once(() => gzipSync(Buffer.alloc(ZEROS_BYTES)));
// The standard quality would take ten seconds, and make it no smaller.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const brotliBomb = once(() => brotliCompressSync(Buffer.alloc(ZEROS_BYTES), BROTLI));
const doubleBomb = once(() => gzipSync(gzipBomb()));

function coded(coding: string, body: () => Uint8Array): Behave {
  return (socket) => say(answer(body(), `content-encoding: ${coding}\r\n`))(socket);
}

const EMPTY_MEMBER = gzipSync('');
const GZIP_PAGE = gzipSync(PAGE);

/** Contents that are small on the wire and large behind it, or not what their header says. */
export const CODING_KINDS = wireKinds([
  ['coding: a gzip bomb', coded('gzip', gzipBomb), {}],
  ['coding: a brotli bomb', coded('br', brotliBomb), {}],
  ['coding: a gzip bomb in gzip, named twice', coded('gzip, gzip', doubleBomb)],
  ['coding: a gzip bomb in gzip, named once', coded('gzip', doubleBomb), {}],
  [
    'coding: a gzip bomb that never ends',
    floodAfter(`${OK_HEAD}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(1_048_576)).toString('latin1')),
    {},
  ],
  [
    'coding: a million empty gzip members',
    floodAfter(`${OK_HEAD}content-encoding: gzip\r\n\r\n`, EMPTY_MEMBER.toString('latin1')),
  ],
  [
    'coding: empty deflate blocks without an end',
    floodAfter(
      Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`), EMPTY_MEMBER.subarray(0, 10)]),
      '\x00\x00\x00\xff\xff',
    ),
  ],
  [
    'coding: a gzip file name without an end',
    floodAfter(
      Buffer.concat([
        Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`),
        Buffer.of(31, 139, 8, 8, 0, 0, 0, 0, 0, 3),
      ]),
      'x',
    ),
  ],
  [
    'coding: empty brotli blocks without an end',
    floodAfter(Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: br\r\n\r\n`), Buffer.of(0x06)]), '\x06'),
    {},
  ],
  ...['deflate', 'zstd', 'compress', 'dcb', 'x-unknown', '*', 'gzip;q=1', 'br, gzip', 'gzip,'.repeat(3000)].map(
    (coding): WireKind => [
      `coding: ${coding.slice(0, 20)}${coding.length > 20 ? '…' : ''}`,
      coded(coding, () => deflateSync(PAGE)),
    ],
  ),
  ['coding: says gzip and is plain', coded('gzip', () => Buffer.from(PAGE))],
  ['coding: says br and is gzip', coded('br', () => GZIP_PAGE)],
  ['coding: gzip cut in its data', coded('gzip', () => GZIP_PAGE.subarray(0, 30))],
  ['coding: gzip cut in its trailer', coded('gzip', () => GZIP_PAGE.subarray(0, -4))],
  [
    'coding: gzip with a wrong checksum',
    coded('gzip', () => Buffer.concat([GZIP_PAGE.subarray(0, -8), Buffer.alloc(8)])),
  ],
  [
    'coding: gzip with garbage behind it',
    coded('gzip', () => Buffer.concat([GZIP_PAGE, Buffer.from('garbage'.repeat(100))])),
    {},
  ],
  ['coding: brotli cut in its data', coded('br', () => brotliCompressSync(PAGE).subarray(0, 30))],
  [
    'coding: gzip that claims the largest window and stops',
    (socket) =>
      socket.write(Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`), GZIP_PAGE.subarray(0, 20)])),
  ],
]);
