import { CHUNKED_HEAD, floodAfter, OK_HEAD, say, wireKinds } from '../wire-kind.js';

/** More of everything than anybody needs. */
export const FLOOD_KINDS = wireKinds([
  {
    name: 'flood: small header fields',
    harm: 'has the parser make an object of each',
    behave: floodAfter(OK_HEAD, 'a: b\r\n'),
  },
  {
    name: 'flood: large header fields',
    harm: 'fills memory before there is a body whose bytes are counted',
    behave: floodAfter(OK_HEAD, `a: ${'b'.repeat(8000)}\r\n`),
  },
  { name: 'flood: one endless header field', harm: 'has no line end', behave: floodAfter(`${OK_HEAD}x: `, 'x') },
  { name: 'flood: one endless field name', harm: 'has no colon', behave: floodAfter(OK_HEAD, 'x') },
  { name: 'flood: an endless reason phrase', harm: 'has no line end', behave: floodAfter('HTTP/1.1 200 ', 'x') },
  { name: 'flood: empty lines', harm: 'has no status line', behave: floodAfter('', '\r\n') },
  ...[100, 102, 103].map((status) => ({
    name: `flood: ${status} answers`,
    harm: 'never comes to the final answer, and no limit of one answer ends it',
    behave: floodAfter('', `HTTP/1.1 ${status} Wait\r\n\r\n`),
  })),
  {
    name: 'flood: 103 answers with fields',
    harm: 'stays below the limit of header fields in each of a million answers',
    behave: floodAfter('', `HTTP/1.1 103 Wait\r\n${'link: </a>\r\n'.repeat(500)}\r\n`),
  },
  {
    name: 'flood: an endless body',
    harm: 'fills memory where the whole is kept',
    behave: floodAfter(`${OK_HEAD}\r\n`, '<p>x</p>'),
    homeYields: {},
  },
  {
    name: 'flood: a body of two to the fiftieth',
    harm: 'has a buffer of the announced length made',
    behave: floodAfter(`${OK_HEAD}content-length: 1125899906842624\r\n\r\n`, 'x'),
    homeYields: {},
  },
  {
    name: 'flood: large chunks',
    harm: 'fills memory where the whole is kept',
    behave: floodAfter(CHUNKED_HEAD, `4000\r\n${'x'.repeat(0x4000)}\r\n`),
    homeYields: {},
  },
  {
    name: 'flood: chunks of one byte',
    harm: 'has an object made of each byte',
    behave: floodAfter(CHUNKED_HEAD, '1\r\nx\r\n'),
    homeYields: {},
  },
  {
    name: 'flood: chunk extensions',
    harm: 'sends what is not a body',
    behave: floodAfter(`${CHUNKED_HEAD}1;`, 'a=b;'),
  },
  {
    name: 'flood: an extension with each chunk',
    harm: 'sends a kilobyte around each byte',
    behave: floodAfter(CHUNKED_HEAD, `1;${'a'.repeat(1000)}\r\nx\r\n`),
  },
  {
    name: 'flood: zeros of a chunk size',
    harm: 'has no end of a number',
    behave: floodAfter(CHUNKED_HEAD, '0'),
  },
  {
    name: 'flood: trailers',
    harm: 'sends fields where nobody counts them',
    behave: floodAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n'),
  },
  {
    name: 'flood: answers without an end on one connection',
    harm: 'sends answers that nobody asked for',
    behave: floodAfter('', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    homeYields: {},
  },
  ...['set-cookie: a=b', 'link: </a>;rel=a', 'x-robots-tag: a', 'content-signal: a=b', 'vary: a'].map((field) => ({
    name: `flood: just so many fields ${field.slice(0, field.indexOf(':'))} as are allowed`,
    harm: 'has each of a thousand fields read',
    behave: say(
      `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${`${field}\r\n`.repeat(Math.floor(15_900 / (field.length + 2)))}\r\nok`,
    ),
    homeYields: {},
  })),
  {
    name: 'flood: a million Link fields',
    harm: 'has the parser make an object of each',
    behave: floodAfter(OK_HEAD, 'link: </a>; rel="service-desc"\r\n'),
  },
  {
    name: 'flood: one Link field with five thousand links',
    harm: 'has a list read whose every part is a link',
    behave: say(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\nlink: ${'<>,'.repeat(5000)}\r\n\r\nok`),
    homeYields: {},
  },
]);
