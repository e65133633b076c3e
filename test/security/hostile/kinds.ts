import { once } from 'node:events';
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { page } from '../../fixtures/sites/parts.js';
import { ANSWERED, ASKED_NAME, CNAME, encodeMessage, encodeRecord, readQuestion } from '../../support/dns-server.js';
import { listen } from '../../support/servers.js';
import { PUBLIC_ADDRESS } from '../../support/network-scene.js';
import { readFixture } from '../../support/project.js';
import {
  answer,
  answerWell,
  type Behave,
  dripAfter,
  floodAfter,
  type HostileKind,
  type HostOptions,
  OK_HEAD,
  type Routes,
  say,
  siteKind,
  startHost,
  wireKinds,
} from './host.js';
import * as texts from './texts.js';

const MIB = 1_048_576;
const PAGE = page({ title: 'Page', body: '<h1>Page</h1>' });
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
/** A whole head; chunks follow. */
const CHUNKED_HEAD = `${OK_HEAD}transfer-encoding: chunked\r\n\r\n`;

const atAccept = (name: string, onConnection: (socket: Socket) => unknown, more: HostOptions = {}) =>
  ({ name, yields: 'nothing', start: () => startHost(null, { onConnection, ...more }) }) as const;

/** Kinds that misbehave before they read a request. */
const AT_ACCEPT: readonly HostileKind[] = [
  atAccept('stalls at accept', (socket) => socket.pause()),
  atAccept('closes at accept', (socket) => socket.end()),
  atAccept('resets at accept', (socket) => socket.resetAndDestroy()),
  atAccept('half-open: sends its FIN at accept and goes on reading', (socket) => socket.resume().end(), {
    isHalfOpen: true,
  }),
  { ...atAccept('talks at accept', (socket) => socket.write(OK)), yields: 'anything' },
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
  Object.entries(PHASES).map(([phase, text]) => [`${VERBS[then]} ${phase}`, say(text, then)] as const),
);

/** Compresses the body once, when the first site needs it. */
function coded(coding: string, make: () => Uint8Array): Behave {
  let body: Uint8Array | null = null;
  return (socket) => socket.write(answer((body ??= make()), `content-encoding: ${coding}\r\n`));
}

const gzipBomb = () => gzipSync(Buffer.alloc(256 * MIB));
/** The standard quality takes ten seconds and makes the bomb no smaller. */
const brotli = (body: string | Buffer, quality: number) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
const GZIP_PAGE = gzipSync(PAGE);
const GZIP_HEAD = Buffer.from(`${OK_HEAD}content-encoding: gzip\r\n\r\n`);

const redirectTo = (location: string): Buffer => answer('', `location: ${location}\r\n`, '302 Found');
const MOVED = 'HTTP/1.1 302 Found\r\nlocation: /next\r\n';
const LOCATIONS = [
  ...['//h1.hostile-site.com:81/', 'http://127.0.0.1/', 'http://nowhere.hostile-site.com/', 'file:///etc/passwd'],
  ...['http://user:password@h1.hostile-site.com/', 'http://[::1', `http://${'a.'.repeat(4500)}com/`],
  `/${'%2e%2e/'.repeat(2100)}`,
];

let count = 0;
const TURNS = ['200 OK', '404 Not Found', '500 Oops', '302 Found', '403 Forbidden', '204 No Content'];

/** Answers that break HTTP/1.1 (RFC 9112), or never end. A run finds nothing. */
const SPOILT: Readonly<Record<string, Behave>> = {
  ...Object.fromEntries(AT_EVERY_PHASE),
  'drips header fields': dripAfter(`${OK_HEAD}x: `, 'x'),
  'drips a body': dripAfter(`${OK_HEAD}content-length: 1000000\r\n\r\n`, 'x'),
  'drips chunks of one byte': dripAfter(CHUNKED_HEAD, '1\r\nx\r\n'),
  'drips 103 answers': dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'drips trailers': dripAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n'),
  'flood: small header fields': floodAfter(OK_HEAD, 'a: b\r\n'),
  'flood: one endless header field': floodAfter(`${OK_HEAD}x: `, 'x'),
  'flood: 100 answers': floodAfter('', 'HTTP/1.1 100 Wait\r\n\r\n'),
  'flood: 103 answers with fields': floodAfter('', `HTTP/1.1 103 Wait\r\n${'link: </a>\r\n'.repeat(500)}\r\n`),
  'flood: chunk extensions': floodAfter(`${CHUNKED_HEAD}1;`, 'a=b;'),
  'flood: trailers': floodAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n'),
  'length: longer than the body': say(`${OK_HEAD}content-length: 5000\r\n\r\nok`),
  'length: with a fraction': say(`${OK_HEAD}content-length: 2.0\r\n\r\nok`),
  'length: two that differ': say(`${OK_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
  'length: beside chunks': say(`${CHUNKED_HEAD.slice(0, -2)}content-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  'chunked: a size past every integer': say(`${CHUNKED_HEAD}FFFFFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n`),
  'head: a mail server': say('220 mail.hostile-site.com ESMTP\r\n'),
  'head: HTTP/0.9': say('<!doctype html><title>Page</title>'),
  'head: NUL in a field': say(`${OK_HEAD}x: a\0b\r\ncontent-length: 2\r\n\r\nok`),
  'status: 600': say('HTTP/1.1 600 More\r\ncontent-length: 2\r\n\r\nok'),
  'status: 101 without an upgrade': say('HTTP/1.1 101 Switching\r\nupgrade: websocket\r\n\r\n\x81\x05hello'),
  'status: 429, try again after -1': say(answer(PAGE, 'retry-after: -1\r\n', '429 Too Many')),
  'status: 503, try again after Infinity': say(answer(PAGE, 'retry-after: Infinity\r\n', '503 Unavailable')),
  'coding: a gzip bomb in gzip, named twice': coded('gzip, gzip', () => gzipSync(gzipBomb())),
  'coding: a million empty gzip members': floodAfter(GZIP_HEAD, gzipSync('')),
  'coding: a gzip file name without an end': floodAfter(
    Buffer.concat([GZIP_HEAD, Buffer.of(31, 139, 8, 8, 0, 0, 0, 0, 0, 3)]),
    'x',
  ),
  'coding: zstd': coded('zstd', () => deflateSync(PAGE)),
  'coding: three thousand codings': coded('gzip,'.repeat(3000), () => deflateSync(PAGE)),
  'coding: says br and is gzip': coded('br', () => GZIP_PAGE),
  'coding: gzip cut in its data': coded('gzip', () => GZIP_PAGE.subarray(0, 30)),
  'coding: gzip with a wrong checksum': coded('gzip', () =>
    Buffer.concat([GZIP_PAGE.subarray(0, -8), Buffer.alloc(8)]),
  ),
  'redirect: to itself': (socket, { path }) => socket.write(redirectTo(path)),
  'redirect: to a new page each time': (socket) => socket.write(redirectTo(`/${(count += 1)}`)),
  'redirect: the path grows': (socket, { path }) =>
    socket.write(redirectTo(`${path.slice(0, 6000)}x${path.slice(0, 6000)}`)),
  ...Object.fromEntries(LOCATIONS.map((to) => [`redirect: to ${to.slice(0, 40)}`, say(redirectTo(to))])),
  'redirect: two places at once': say(answer('', 'location: /a\r\nlocation: /b\r\n', '302 Found')),
  'redirect: with an endless body': floodAfter(`${MOVED}\r\n`, 'x'),
  'redirect: with a body that drips': dripAfter(`${MOVED}content-length: 9999\r\n\r\n`, 'x'),
  'redirect: with a brotli bomb': say(
    Buffer.concat([Buffer.from(`${MOVED}content-encoding: br\r\n\r\n`), brotli(Buffer.alloc(4 * MIB), 11)]),
    'close',
  ),
};

/** As many of these fields as fit into 16 KiB. */
const fieldFloods = ['link: </a>;rel=a', 'x-robots-tag: a', 'content-signal: a=b', 'vary: a'].map((field) => {
  const fields = `${field}\r\n`.repeat(Math.floor(15_900 / (field.length + 2)));
  return [`flood: as many fields ${field} as are allowed`, say(`${OK.slice(0, -4)}${fields}\r\nok`)] as const;
});
const asciiAs = (charset: string) =>
  say(
    `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=${charset}\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`,
  );

/** Odd or huge answers that may still be readable. */
const ODD: Readonly<Record<string, Behave>> = {
  ...Object.fromEntries(fieldFloods),
  'flood: an endless body': floodAfter(`${OK_HEAD}\r\n`, '<p>x</p>'),
  'flood: chunks of one byte': floodAfter(CHUNKED_HEAD, '1\r\nx\r\n'),
  'flood: answers without an end': floodAfter('', OK),
  'flood: one Link field with five thousand links': say(`${OK.slice(0, -4)}link: ${'<>,'.repeat(5000)}\r\n\r\nok`),
  'length: shorter than the body': say(`${OK_HEAD}content-length: 2\r\n\r\nok${'x'.repeat(5000)}`),
  'chunked: a coding beneath': say(`${OK_HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  'head: a folded field': say(`${OK_HEAD}x: a\r\n b\r\n\tc\r\ncontent-length: 2\r\n\r\nok`),
  'head: fields of the prototype': say(`${OK_HEAD}__proto__: a\r\nconstructor: b\r\ncontent-length: 2\r\n\r\nok`),
  'head: bytes that are not UTF-8': say(`${OK_HEAD}link: <\xff\xfe\x80>; rel=\xc0\xaf\r\ncontent-length: 2\r\n\r\nok`),
  'status: a reason of 15,000 characters': say(`HTTP/1.1 200 ${'x'.repeat(15_000)}\r\ncontent-length: 2\r\n\r\nok`),
  'status: 204 with a body': say(answer(PAGE, '', '204 No Content')),
  'status: 304 with a body': say(answer(PAGE, '', '304 Not Modified')),
  'status: 416': say(answer(PAGE, 'content-range: bytes */-1\r\n', '416 Range Not Satisfiable')),
  'status: 401': say(answer(PAGE, 'www-authenticate: Negotiate, Basic realm="x"\r\n', '401 Unauthorized')),
  'connection: hides an answer behind a shorter one': say(`${OK_HEAD}content-length: 0\r\n\r\n${OK}`),
  'connection: pushes a second answer a moment later': (socket) => {
    socket.write(answer('mine'));
    setTimeout(() => socket.write(answer('<title>poison</title>')), 2);
  },
  'connection: says keep-alive and closes': say(answer('ok', 'connection: keep-alive\r\n'), 'close'),
  'connection: says keep-alive and resets': say(answer('ok', 'connection: keep-alive\r\n'), 'reset'),
  'coding: a gzip bomb': coded('gzip', gzipBomb),
  'coding: a brotli bomb': coded('br', () => brotli(Buffer.alloc(256 * MIB), 2)),
  'coding: a gzip bomb in gzip, named once': coded('gzip', () => gzipSync(gzipBomb())),
  'coding: a gzip bomb that never ends': floodAfter(GZIP_HEAD, gzipSync(Buffer.alloc(MIB))),
  'charset: utf-16 of what is ASCII': asciiAs('utf-16'),
  'charset: utf-32 of what is ASCII': asciiAs('utf-32'),
  'charset: a mark of UTF-16 before ASCII': say(answer(`\xff\xfe${PAGE}`)),
  'charset: ten thousand marks of UTF-8': say(answer(Buffer.from('\ufeff'.repeat(10_000) + PAGE))),
  'fickle: another answer to each request': (socket) =>
    socket.write(answer(`${(count += 1)} ${PAGE}`, `location: /${count}\r\n`, TURNS[count % TURNS.length])),
  'fickle: every path is as large a page as is stored': (socket) =>
    socket.write(answer(`<!doctype html><html lang="en"><p>${'large page '.repeat(200_000)}`)),
  'fickle: an event stream without events': say('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'),
  'redirect: to nothing': say(redirectTo('')),
  'redirect: by a Refresh field': say(answer('', 'refresh: 0; url=http://127.0.0.1/\r\n')),
};

const readPem = (name: string): string => readFixture(`tls/${name}.pem`);
const HOSTNAME = 'secure.fixture-site.com';
const VALID = readPem('valid');
const TRUSTED = { hostname: HOSTNAME, ca: VALID };

/** A good site with these TLS options, by default with a valid certificate. */
function tlsKind(name: string, tls: TlsOptions, options: HostOptions = TRUSTED, behave = answerWell): HostileKind {
  const start = () => startHost(behave, { ...options, tls: { key: readPem('key'), cert: VALID, ...tls } });
  return { name: `tls: ${name}`, yields: 'nothing', start };
}

/** A server without TLS on an address with https. */
function plainKind(name: string, behave: (socket: Socket) => unknown): HostileKind {
  const onConnection = (socket: Socket) => socket.once('data', () => behave(socket)).resume();
  return atAccept(`tls: ${name}`, onConnection, { ...TRUSTED, scheme: 'https' });
}

const HELLO_START = Buffer.of(22, 3, 3, 64, 0, 2, 0, 63, 252, 3, 3);

/** Faults of TLS: certificates, versions, and handshakes that lead nowhere. */
const TLS_KINDS: readonly HostileKind[] = [
  tlsKind('an expired certificate', { cert: readPem('expired') }, { ...TRUSTED, ca: readPem('expired') }),
  tlsKind('a certificate for another name', {}, { ca: VALID }),
  tlsKind('a self-signed certificate', {}, { hostname: HOSTNAME }),
  tlsKind('an old version only', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
  tlsKind('a certificate that never comes', { SNICallback: () => undefined }),
  { ...tlsKind('three thousand certificates', { cert: VALID.repeat(3000) }), yields: 'anything' },
  // A scan tries http once if https fails.
  { ...plainKind('plain HTTP on the port of TLS', (socket) => socket.end(answer('ok'))), yields: 'anything' },
  plainKind('never says hello', () => undefined),
  plainKind('an alert instead of a hello', (socket) => socket.end(Buffer.of(21, 3, 3, 0, 2, 2, 40))),
  plainKind('a hello of 16 MiB that drips', dripAfter(HELLO_START, '\0')),
  plainKind('closes after the first hello', (socket) => socket.end()),
  plainKind('records of garbage', floodAfter(HELLO_START, '\x16\x03\x03\x00\x04abcd')),
  tlsKind('closes without saying so', {}, TRUSTED, (socket) =>
    socket.write(`${OK_HEAD}content-length: 100\r\n\r\n<title>Half`, () => socket.destroy()),
  ),
  { ...tlsKind('a body without an end', {}, TRUSTED, floodAfter(`${OK_HEAD}\r\n`, 'x')), yields: 'anything' },
];

const GOOD_RECORD = encodeRecord(1, Buffer.from(PUBLIC_ADDRESS.split('.').map(Number)));
const TRUNCATED = 0x8380;

/** Hostile name servers: the datagrams that answer a query. */
const REPLIES: Readonly<Record<string, (query: Buffer, questionEnd: number) => readonly Buffer[]>> = {
  'never answers': () => [],
  'answers with garbage': (query) => [Buffer.alloc(300, 0xff), query.subarray(0, 5), Buffer.alloc(0)],
  'answers under another id, a thousand times': (query, end) =>
    Array.from({ length: 1000 }, (_, id) =>
      encodeMessage(query, end, ANSWERED, [GOOD_RECORD], id ^ query.readUInt16BE(0) ^ 0x8000),
    ),
  'promises 65,535 answers': (query, end) => [encodeMessage(query, end, ANSWERED, []).fill(0xff, 6, 8)],
  'has a name that points at itself': (query, end) => [
    encodeMessage(query, end, ANSWERED, [encodeRecord(CNAME, ASKED_NAME, Buffer.from([0xc0, end])), GOOD_RECORD]),
  ],
  'has an alias that leads to itself': (query, end) => [
    encodeMessage(query, end, ANSWERED, [encodeRecord(CNAME, ASKED_NAME)]),
  ],
  'has four thousand addresses': (query, end) => [
    encodeMessage(query, end, ANSWERED, Array<Buffer>(4000).fill(GOOD_RECORD)),
  ],
  'says that the answer is longer, and accepts a connection in silence': (query, end) => [
    encodeMessage(query, end, TRUNCATED, []),
  ],
};

const DNS_KINDS = Object.entries(REPLIES).map(([name, reply]): HostileKind => {
  /** Starts UDP with these replies, and silent TCP, on one port. */
  const startDns = async () => {
    const tcp = await listen(createServer());
    const udp: UdpSocket = createSocket('udp4', (query: Buffer, { port: asker, address }: RemoteInfo) => {
      for (const datagram of reply(query, readQuestion(query).end)) udp.send(datagram, asker, address);
    });
    await once(udp.bind(tcp.port, '127.0.0.1'), 'listening');
    const close = async () => void (await Promise.all([tcp.close(), once(udp.close(), 'close')]));
    return { address: `127.0.0.1:${tcp.port}`, close };
  };
  const yields = name.includes('addresses') ? 'anything' : 'nothing';
  return { name: `dns: ${name}`, yields, start: () => startHost(answerWell, { startDns }) };
});

const MANIFEST_PATHS = [
  ...['ard.json', 'ai-catalog.json', 'mcp/server-card.json', 'mcp.json', 'agent-card.json', 'api-catalog'],
  ...['oauth-protected-resource', '../openapi.json'],
].map((path) => new URL(path, 'https://x/.well-known/').pathname);

/** One kind for each text, made as long as its reader allows. */
function kindsOf(
  family: string,
  all: readonly texts.HostileText[],
  chars: number,
  routesOf: (text: string) => Routes,
): HostileKind[] {
  return all.map(({ name, make }) => siteKind(`${family}: ${name}`, () => routesOf(make(chars))));
}

const everyPage = (html: string): Routes => ({ '/': html, '*': html });

const codedSitemap = (coding: string, compress: (body: string) => Buffer): HostileKind =>
  siteKind(`sitemap: entries in a ${coding} bomb`, () => {
    const body = compress(`<urlset>${'<url/>'.repeat(5 * MIB)}</urlset>`);
    return { '/sitemap.xml': { type: 'application/xml', headers: { 'content-encoding': coding }, body } };
  });

/** Kinds whose harm is in how they talk. */
export const HOSTILE_KINDS: readonly HostileKind[] = [
  ...AT_ACCEPT,
  ...[...wireKinds('nothing', SPOILT), ...wireKinds('anything', ODD)],
  ...[...TLS_KINDS, ...DNS_KINDS],
];

/** Also kinds that serve megabytes, which takes too long for a quick test. */
export const ALL_KINDS: readonly HostileKind[] = [
  ...HOSTILE_KINDS,
  ...kindsOf('page', texts.HOSTILE_HTML, 2 * MIB - 100, everyPage),
  ...kindsOf('markup', texts.HOSTILE_JSON_LD, MIB - 1_000, (json) => everyPage(texts.markupPage(json))),
  ...kindsOf('robots.txt', texts.HOSTILE_ROBOTS, MIB - 100, (text) => ({ '/robots.txt': text })),
  ...kindsOf('llms.txt', texts.HOSTILE_MARKDOWN, MIB - 100, (text) => ({ '/llms.txt': text })),
  ...kindsOf('sitemap', texts.HOSTILE_XML, 4 * MIB, (text) => ({ '/sitemap.xml': text })),
  ...kindsOf('manifest', texts.HOSTILE_MANIFESTS, MIB - 100, (body) =>
    Object.fromEntries(MANIFEST_PATHS.map((path) => [path, { type: 'application/json', body }])),
  ),
  codedSitemap('gzip', gzipSync),
  codedSitemap('br', (body) => brotli(body, 4)),
];

/** An ordinary site, as the baseline of measurements. */
export const GOOD_KIND: HostileKind = siteKind('a good site', () => ({}));
