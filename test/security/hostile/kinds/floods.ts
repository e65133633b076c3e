import { CHUNKED_HEAD, floodAfter, OK_HEAD, say, type WireKind, wireKinds } from '../wire-kind.js';

/** More of everything than anybody needs. */
export const FLOOD_KINDS = wireKinds([
  ['flood: small header fields', floodAfter(OK_HEAD, 'a: b\r\n')],
  ['flood: large header fields', floodAfter(OK_HEAD, `a: ${'b'.repeat(8000)}\r\n`)],
  ['flood: one endless header field', floodAfter(`${OK_HEAD}x: `, 'x')],
  ['flood: one endless field name', floodAfter(OK_HEAD, 'x')],
  ['flood: an endless reason phrase', floodAfter('HTTP/1.1 200 ', 'x')],
  ['flood: empty lines', floodAfter('', '\r\n')],
  ...[100, 102, 103].map((status): WireKind => [
    `flood: ${status} answers`,
    floodAfter('', `HTTP/1.1 ${status} Wait\r\n\r\n`),
  ]),
  ['flood: 103 answers with fields', floodAfter('', `HTTP/1.1 103 Wait\r\n${'link: </a>\r\n'.repeat(500)}\r\n`)],
  ['flood: an endless body', floodAfter(`${OK_HEAD}\r\n`, '<p>x</p>'), {}],
  ['flood: a body of two to the fiftieth', floodAfter(`${OK_HEAD}content-length: 1125899906842624\r\n\r\n`, 'x'), {}],
  ['flood: large chunks', floodAfter(CHUNKED_HEAD, `4000\r\n${'x'.repeat(0x4000)}\r\n`), {}],
  ['flood: chunks of one byte', floodAfter(CHUNKED_HEAD, '1\r\nx\r\n'), {}],
  ['flood: chunk extensions', floodAfter(`${CHUNKED_HEAD}1;`, 'a=b;')],
  ['flood: an extension with each chunk', floodAfter(CHUNKED_HEAD, `1;${'a'.repeat(1000)}\r\nx\r\n`)],
  ['flood: zeros of a chunk size', floodAfter(CHUNKED_HEAD, '0')],
  ['flood: trailers', floodAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n')],
  [
    'flood: answers without an end on one connection',
    floodAfter('', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    {},
  ],
  ...['set-cookie: a=b', 'link: </a>;rel=a', 'x-robots-tag: a', 'content-signal: a=b', 'vary: a'].map(
    (field): WireKind => [
      `flood: just so many fields ${field.slice(0, field.indexOf(':'))} as are allowed`,
      say(
        `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${`${field}\r\n`.repeat(Math.floor(15_900 / (field.length + 2)))}\r\nok`,
      ),
      {},
    ],
  ),
  ['flood: a million Link fields', floodAfter(OK_HEAD, 'link: </a>; rel="service-desc"\r\n')],
  [
    'flood: one Link field with five thousand links',
    say(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\nlink: ${'<>,'.repeat(5000)}\r\n\r\nok`),
    {},
  ],
]);
