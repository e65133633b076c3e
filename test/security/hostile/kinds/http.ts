import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { page } from '../../../fixtures/sites/parts.js';
import { type Behave, type HostileKind, startHost } from '../host.js';
import { answer, CHUNKED_HEAD, dripAfter, floodAfter, OK_HEAD, say, type WireKind, wireKinds } from '../talk.js';

const MIB = 1_048_576;
const PAGE = page({ title: 'Page', body: '<h1>Page</h1>' });
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Kinds that misbehave before they read a request. */
const AT_ACCEPT: readonly HostileKind[] = [
  ...Object.entries<(socket: Socket) => unknown>({
    'stalls at accept': (socket) => socket.pause(),
    'closes at accept': (socket) => socket.end(),
    'resets at accept': (socket) => socket.resetAndDestroy(),
    'half-open: sends its FIN at accept and goes on reading': (socket) => socket.resume().end(),
  }).map(([name, onConnection]): HostileKind => ({
    ...{ name, yields: 'nothing' },
    start: () => startHost(null, { isHalfOpen: name.startsWith('half-open'), onConnection }),
  })),
  {
    ...{ name: 'talks at accept', yields: 'anything' },
    start: () => startHost(null, { onConnection: (socket) => socket.write(OK) }),
  },
];

/** How far an answer comes before it stalls, closes or resets. */
const PHASES: Readonly<Record<string, string>> = {
  'after the request': '',
  'in the status line': 'HTTP/1.1 2',
  'in a header field': `${OK_HEAD}x-fie`,
  'after the header fields': `${OK_HEAD}content-length: 1000\r\n\r\n`,
  'in the body': `${OK_HEAD}content-length: 1000\r\n\r\n<!doctype html><title>`,
  'in a chunk size': `${CHUNKED_HEAD}5\r\nhello\r\n1`,
  'before the last chunk': `${CHUNKED_HEAD}5\r\nhello\r\n`,
  'in the trailers': `${CHUNKED_HEAD}5\r\nhello\r\n0\r\nx-trail`,
};
const VERBS = { stay: 'stalls', close: 'closes', reset: 'resets' } as const;
const AT_EVERY_PHASE = (['stay', 'close', 'reset'] as const).flatMap((then) =>
  Object.entries(PHASES).map(([phase, text]): WireKind => [`${VERBS[then]} ${phase}`, say(text, then)]),
);

const DRIPS: readonly WireKind[] = [
  ['drips header fields', dripAfter(`${OK_HEAD}x: `, 'x')],
  ['drips a body', dripAfter(`${OK_HEAD}content-length: 1000000\r\n\r\n`, 'x')],
  ['drips chunks of one byte', dripAfter(CHUNKED_HEAD, '1\r\nx\r\n')],
  ['drips 103 answers', dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ['drips trailers', dripAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n')],
];

/** As many of these fields as fit into 16 KiB. */
function allowedFields(field: string): WireKind {
  const fields = `${field}\r\n`.repeat(Math.floor(15_900 / (field.length + 2)));
  const text = `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${fields}\r\nok`;
  return [`flood: as many fields ${field} as are allowed`, say(text), 'anything'];
}

const FLOODS: readonly WireKind[] = [
  ['flood: small header fields', floodAfter(OK_HEAD, 'a: b\r\n')],
  ['flood: one endless header field', floodAfter(`${OK_HEAD}x: `, 'x')],
  ['flood: 100 answers', floodAfter('', 'HTTP/1.1 100 Wait\r\n\r\n')],
  ['flood: 103 answers with fields', floodAfter('', `HTTP/1.1 103 Wait\r\n${'link: </a>\r\n'.repeat(500)}\r\n`)],
  ['flood: an endless body', floodAfter(`${OK_HEAD}\r\n`, '<p>x</p>'), 'anything'],
  ['flood: chunks of one byte', floodAfter(CHUNKED_HEAD, '1\r\nx\r\n'), 'anything'],
  ['flood: chunk extensions', floodAfter(`${CHUNKED_HEAD}1;`, 'a=b;')],
  ['flood: trailers', floodAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n')],
  ['flood: answers without an end', floodAfter('', OK), 'anything'],
  ...['link: </a>;rel=a', 'x-robots-tag: a', 'content-signal: a=b', 'vary: a'].map(allowedFields),
  [
    'flood: one Link field with five thousand links',
    say(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\nlink: ${'<>,'.repeat(5000)}\r\n\r\nok`),
    'anything',
  ],
];

/** Answers that break the rules of HTTP/1.1 (RFC 9112), one at a time. */
const FRAMES: readonly (readonly [name: string, text: string, yields?: 'anything'])[] = [
  ['length: shorter than the body', `${OK_HEAD}content-length: 2\r\n\r\nok${'x'.repeat(5000)}`, 'anything'],
  ['length: longer than the body', `${OK_HEAD}content-length: 5000\r\n\r\nok`],
  ['length: with a fraction', `${OK_HEAD}content-length: 2.0\r\n\r\nok`],
  ['length: two that differ', `${OK_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`],
  ['length: beside chunks', `${CHUNKED_HEAD.slice(0, -2)}content-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ['chunked: a size past every integer', `${CHUNKED_HEAD}FFFFFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n`],
  ['chunked: a coding beneath', `${OK_HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, 'anything'],
  ['head: a mail server', '220 mail.hostile-site.com ESMTP\r\n'],
  ['head: HTTP/0.9', '<!doctype html><title>Page</title>'],
  ['head: NUL in a field', `${OK_HEAD}x: a\0b\r\ncontent-length: 2\r\n\r\nok`],
  ['head: a folded field', `${OK_HEAD}x: a\r\n b\r\n\tc\r\ncontent-length: 2\r\n\r\nok`, 'anything'],
  [
    'head: fields of the prototype',
    `${OK_HEAD}__proto__: a\r\nconstructor: b\r\ncontent-length: 2\r\n\r\nok`,
    'anything',
  ],
  [
    'head: bytes that are not UTF-8',
    `${OK_HEAD}link: <\xff\xfe\x80>; rel=\xc0\xaf\r\ncontent-length: 2\r\n\r\nok`,
    'anything',
  ],
  ['status: 600', 'HTTP/1.1 600 More\r\ncontent-length: 2\r\n\r\nok'],
  [
    'status: a reason of 15,000 characters',
    `HTTP/1.1 200 ${'x'.repeat(15_000)}\r\ncontent-length: 2\r\n\r\nok`,
    'anything',
  ],
  ['connection: hides an answer behind a shorter one', `${OK_HEAD}content-length: 0\r\n\r\n${OK}`, 'anything'],
];

const CONNECTIONS: readonly WireKind[] = [
  [
    'connection: pushes a second answer a moment later',
    (socket) => {
      socket.write(answer('mine'));
      setTimeout(() => socket.write(answer('<title>poison</title>')), 2);
    },
    'anything',
  ],
  ['connection: says keep-alive and closes', say(answer('ok', 'connection: keep-alive\r\n'), 'close'), 'anything'],
  ['connection: says keep-alive and resets', say(answer('ok', 'connection: keep-alive\r\n'), 'reset'), 'anything'],
];

/** Makes the body once, when the first site needs it. */
function coded(name: string, coding: string, make: () => Uint8Array, yields?: 'anything'): WireKind {
  let body: Uint8Array | null = null;
  const behave: Behave = (socket) => say(answer((body ??= make()), `content-encoding: ${coding}\r\n`))(socket);
  return [`coding: ${name}`, behave, yields];
}

const gzipBomb = () => gzipSync(Buffer.alloc(256 * MIB));
// The standard quality takes ten seconds and makes the bomb no smaller.
const brotliBomb = () =>
  brotliCompressSync(Buffer.alloc(256 * MIB), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
const GZIP_PAGE = gzipSync(PAGE);
const GZIP_HEAD = Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`);

/** Bodies that are small on the wire and large behind it, or not what their header says. */
const CODINGS: readonly WireKind[] = [
  coded('a gzip bomb', 'gzip', gzipBomb, 'anything'),
  coded('a brotli bomb', 'br', brotliBomb, 'anything'),
  coded('a gzip bomb in gzip, named twice', 'gzip, gzip', () => gzipSync(gzipBomb())),
  coded('a gzip bomb in gzip, named once', 'gzip', () => gzipSync(gzipBomb()), 'anything'),
  ['coding: a gzip bomb that never ends', floodAfter(GZIP_HEAD, gzipSync(Buffer.alloc(MIB))), 'anything'],
  ['coding: a million empty gzip members', floodAfter(GZIP_HEAD, gzipSync(''))],
  [
    'coding: a gzip file name without an end',
    floodAfter(Buffer.concat([GZIP_HEAD, Buffer.of(31, 139, 8, 8, 0, 0, 0, 0, 0, 3)]), 'x'),
  ],
  coded('zstd', 'zstd', () => deflateSync(PAGE)),
  coded('three thousand codings', 'gzip,'.repeat(3000), () => deflateSync(PAGE)),
  coded('says br and is gzip', 'br', () => GZIP_PAGE),
  coded('gzip cut in its data', 'gzip', () => GZIP_PAGE.subarray(0, 30)),
  coded('gzip with a wrong checksum', 'gzip', () => Buffer.concat([GZIP_PAGE.subarray(0, -8), Buffer.alloc(8)])),
];

function plain(name: string, status: string, fields = '', body: string | Uint8Array = PAGE): WireKind {
  return [name, say(answer(body, fields, status)), 'anything'];
}

const ANSWERS: readonly WireKind[] = [
  plain('status: 204 with a body', '204 No Content'),
  plain('status: 304 with a body', '304 Not Modified'),
  plain('status: 416', '416 Range Not Satisfiable', 'content-range: bytes */-1\r\n'),
  plain('status: 401', '401 Unauthorized', 'www-authenticate: Negotiate, Basic realm="x"\r\n'),
  [
    'status: 101 without an upgrade',
    say('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n\x81\x05hello'),
  ],
  ['status: 429, try again after -1', say(answer(PAGE, 'retry-after: -1\r\n', '429 Too Many Requests'))],
  ['status: 503, try again after Infinity', say(answer(PAGE, 'retry-after: Infinity\r\n', '503 Unavailable'))],
  ...['utf-16', 'utf-32'].map((charset): WireKind => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=${charset}\r\n`;
    return [
      `charset: ${charset} of what is ASCII`,
      say(`${head}content-length: ${PAGE.length}\r\n\r\n${PAGE}`),
      'anything',
    ];
  }),
  plain('charset: a mark of UTF-16 before ASCII', '200 OK', '', `\xff\xfe${PAGE}`),
  plain('charset: ten thousand marks of UTF-8', '200 OK', '', Buffer.from('\ufeff'.repeat(10_000) + PAGE)),
];

let count = 0;
const TURNS = ['200 OK', '404 Not Found', '500 Oops', '302 Found', '403 Forbidden', '204 No Content'];

/** Answers that agree with no other answer. */
const FICKLE: readonly WireKind[] = [
  [
    'fickle: another answer to each request',
    (socket) => socket.write(answer(`${(count += 1)} ${PAGE}`, `location: /${count}\r\n`, TURNS[count % TURNS.length])),
    'anything',
  ],
  [
    'fickle: every path is as large a page as is stored',
    (socket) => socket.write(answer(`<!doctype html><html lang="en"><p>${'large page '.repeat(200_000)}`)),
    'anything',
  ],
  [
    'fickle: an event stream without events',
    say('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'),
    'anything',
  ],
];

const redirectTo = (location: string): Buffer => answer('', `location: ${location}\r\n`, '302 Found');
const MOVED = 'HTTP/1.1 302 Found\r\nlocation: /next\r\n';

/** Redirects that lead nowhere, or where no scan may go. */
const REDIRECTS: readonly WireKind[] = [
  ['redirect: to itself', (socket, { path }) => socket.write(redirectTo(path))],
  ['redirect: to a new page each time', (socket) => socket.write(redirectTo(`/${(count += 1)}`))],
  [
    'redirect: the path grows',
    (socket, { path }) => socket.write(redirectTo(`${path.slice(0, 6000)}x${path.slice(0, 6000)}`)),
  ],
  ...[
    ...['//h1.hostile-site.com:81/', 'http://127.0.0.1/', 'http://nowhere.hostile-site.com/', 'file:///etc/passwd'],
    ...['http://user:password@h1.hostile-site.com/', 'http://[::1'],
    ...[`http://${'a.'.repeat(4500)}com/`, `/${'%2e%2e/'.repeat(2100)}`],
  ].map((location): WireKind => [`redirect: to ${location.slice(0, 40)}`, say(redirectTo(location))]),
  ['redirect: to nothing', say(redirectTo('')), 'anything'],
  ['redirect: two places at once', say(answer('', 'location: /a\r\nlocation: /b\r\n', '302 Found'))],
  ['redirect: with an endless body', floodAfter(`${MOVED}\r\n`, 'x')],
  ['redirect: with a body that drips', dripAfter(`${MOVED}content-length: 9999\r\n\r\n`, 'x')],
  [
    'redirect: with a brotli bomb',
    say(
      Buffer.concat([Buffer.from(`${MOVED}content-encoding: br\r\n\r\n`), brotliCompressSync(Buffer.alloc(4 * MIB))]),
      'close',
    ),
  ],
  ['redirect: by a Refresh field', say(answer('', 'refresh: 0; url=http://127.0.0.1/\r\n')), 'anything'],
];

/** Kinds whose harm is in how they speak HTTP. */
export const HTTP_KINDS: readonly HostileKind[] = [
  ...AT_ACCEPT,
  ...wireKinds([
    ...[
      ...AT_EVERY_PHASE,
      ...DRIPS,
      ...FLOODS,
      ...FRAMES.map(([name, text, yields]): WireKind => [name, say(text), yields]),
    ],
    ...[...CONNECTIONS, ...CODINGS, ...ANSWERS, ...FICKLE, ...REDIRECTS],
  ]),
];
