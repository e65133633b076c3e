import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
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

function coded(coding: string, body: () => Uint8Array): WireKind['behave'] {
  return (socket) => say(answer(body(), `content-encoding: ${coding}\r\n`))(socket);
}

const EMPTY_MEMBER = gzipSync('');
const GZIP_PAGE = gzipSync(PAGE);

/** Contents that are small on the wire and large behind it, or not what their header says. */
export const CODING_KINDS = wireKinds([
  { name: 'coding: a gzip bomb', harm: 'is 256 MiB', behave: coded('gzip', gzipBomb), homeYields: {} },
  { name: 'coding: a brotli bomb', harm: 'is 256 MiB of 500 bytes', behave: coded('br', brotliBomb), homeYields: {} },
  {
    name: 'coding: a gzip bomb in gzip, named twice',
    harm: 'multiplies',
    behave: coded('gzip, gzip', doubleBomb),
  },
  {
    name: 'coding: a gzip bomb in gzip, named once',
    harm: 'multiplies',
    behave: coded('gzip', doubleBomb),
    homeYields: {},
  },
  {
    name: 'coding: a gzip bomb that never ends',
    harm: 'decodes to zeros without an end',
    behave: floodAfter(
      `${OK_HEAD}content-encoding: gzip\r\n\r\n`,
      gzipSync(Buffer.alloc(1_048_576)).toString('latin1'),
    ),
    homeYields: {},
  },
  {
    name: 'coding: a million empty gzip members',
    harm: 'decodes to nothing at all, so that no count of decoded bytes ends it',
    behave: floodAfter(`${OK_HEAD}content-encoding: gzip\r\n\r\n`, EMPTY_MEMBER.toString('latin1')),
  },
  {
    name: 'coding: empty deflate blocks without an end',
    harm: 'decodes to nothing at all, so that no count of decoded bytes ends it',
    behave: floodAfter(
      Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`), EMPTY_MEMBER.subarray(0, 10)]),
      '\x00\x00\x00\xff\xff',
    ),
  },
  {
    name: 'coding: a gzip file name without an end',
    harm: 'never comes to the data',
    behave: floodAfter(
      Buffer.concat([
        Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`),
        Buffer.of(31, 139, 8, 8, 0, 0, 0, 0, 0, 3),
      ]),
      'x',
    ),
  },
  {
    name: 'coding: empty brotli blocks without an end',
    harm: 'decodes to nothing at all, so that no count of decoded bytes ends it',
    behave: floodAfter(Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: br\r\n\r\n`), Buffer.of(0x06)]), '\x06'),
    homeYields: {},
  },
  ...['deflate', 'zstd', 'compress', 'dcb', 'x-unknown', '*', 'gzip;q=1', 'br, gzip', 'gzip,'.repeat(3000)].map(
    (coding) => ({
      name: `coding: ${coding.slice(0, 20)}${coding.length > 20 ? '…' : ''}`,
      harm: 'was not asked for',
      behave: coded(coding, () => deflateSync(PAGE)),
    }),
  ),
  { name: 'coding: says gzip and is plain', harm: 'has text decoded', behave: coded('gzip', () => Buffer.from(PAGE)) },
  { name: 'coding: says br and is gzip', harm: 'has one coding read as another', behave: coded('br', () => GZIP_PAGE) },
  {
    name: 'coding: gzip cut in its data',
    harm: 'has half of a page taken for the whole',
    behave: coded('gzip', () => GZIP_PAGE.subarray(0, 30)),
  },
  {
    name: 'coding: gzip cut in its trailer',
    harm: 'has a body taken whose checksum nobody could compare',
    behave: coded('gzip', () => GZIP_PAGE.subarray(0, -4)),
  },
  {
    name: 'coding: gzip with a wrong checksum',
    harm: 'has a damaged body taken',
    behave: coded('gzip', () => Buffer.concat([GZIP_PAGE.subarray(0, -8), Buffer.alloc(8)])),
  },
  {
    name: 'coding: gzip with garbage behind it',
    harm: 'smuggles what no other reader sees',
    behave: coded('gzip', () => Buffer.concat([GZIP_PAGE, Buffer.from('garbage'.repeat(100))])),
    homeYields: {},
  },
  {
    name: 'coding: brotli cut in its data',
    harm: 'has half of a page taken for the whole',
    behave: coded('br', () => brotliCompressSync(PAGE).subarray(0, 30)),
  },
  {
    name: 'coding: gzip that claims the largest window and stops',
    harm: 'has a decoder wait for ever',
    behave: (socket) =>
      socket.write(Buffer.concat([Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`), GZIP_PAGE.subarray(0, 20)])),
  },
]);
