import { page } from '../../../fixtures/sites/parts.js';
import { say, wireKinds, answer, type WireKind } from '../wire-kind.js';

const PAGE = page({ title: 'Page', body: '<h1>Page</h1>' });

function plain(name: string, status: string, fields = '', body: string | Uint8Array = PAGE): WireKind {
  return [name, say(answer(body, fields, status)), {}];
}

/** Statuses that mean something else than an answer. */
const STATUSES: readonly WireKind[] = [
  plain('status: 204 with a body', '204 No Content'),
  plain('status: 304 with a body', '304 Not Modified'),
  plain('status: 205 with a body', '205 Reset Content'),
  plain('status: 206 nobody asked for', '206 Partial Content', 'content-range: bytes 5-9/3\r\n'),
  plain('status: 416', '416 Range Not Satisfiable', 'content-range: bytes */-1\r\n'),
  plain('status: 401', '401 Unauthorized', 'www-authenticate: Negotiate, Basic realm="x"\r\n'),
  plain('status: 407', '407 Proxy Authentication Required', 'proxy-authenticate: Basic\r\n'),
  plain('status: 426', '426 Upgrade Required', 'upgrade: h2c\r\nconnection: upgrade\r\n'),
  plain('status: 421', '421 Misdirected Request'),
  plain('status: 425', '425 Too Early'),
  [
    'status: 101 to whoever asked for no upgrade',
    say('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\x81\x05hello'),
  ],
  ['status: 100 and nothing more', say('HTTP/1.1 100 Continue\r\n\r\n')],
  ...[
    '-1',
    '31536000',
    '99999999999999999999',
    'Infinity',
    '1e9',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'x'.repeat(9000),
  ].flatMap((wait) =>
    ['429 Too Many Requests', '503 Service Unavailable'].map((status): WireKind => [
      `status: ${status.slice(0, 3)}, try again after ${wait.slice(0, 40)}`,
      say(answer(PAGE, `retry-after: ${wait}\r\n`, status)),
    ]),
  ),
];

/** Texts that say they are another. */
const CHARSETS: readonly WireKind[] = [
  ...['utf-16', 'utf-16be', 'utf-32', 'utf-7', 'x-user-defined', 'nonsense', 'iso-2022-jp', 'replacement'].map(
    (charset): WireKind => [
      `charset: ${charset} of what is ASCII`,
      say(
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=${charset}\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`,
        ),
      ),
      {},
    ],
  ),
  plain('charset: a mark of UTF-16 before ASCII', '200 OK', '', `\xff\xfe${PAGE}`),
  plain('charset: a mark of UTF-16, odd', '200 OK', '', Buffer.from(`\ufeff${PAGE}x`, 'utf16le').subarray(0, -1)),
  plain('charset: ten thousand marks of UTF-8', '200 OK', '', Buffer.from('\ufeff'.repeat(10_000) + PAGE)),
  plain('charset: a million bytes that are none', '200 OK', '', Buffer.alloc(1_000_000, 0xff)),
  [
    'charset: a Content-Type with five thousand parameters',
    say(`HTTP/1.1 200 OK\r\ncontent-type: text/html${';a='.repeat(5000)}\r\ncontent-length: 2\r\n\r\nok`),
    {},
  ],
  [
    'charset: a Content-Type of quotes',
    say(`HTTP/1.1 200 OK\r\ncontent-type: text/html;a="${'\\"'.repeat(7000)}\r\ncontent-length: 2\r\n\r\nok`),
    {},
  ],
];

let asked = 0;
const TURNS = ['200 OK', '404 Not Found', '500 Oops', '302 Found', '403 Forbidden', '204 No Content'];
const TYPES = ['text/html', 'application/json', 'text/plain', 'application/xml', 'text/markdown'];

/** Answers that agree with no other answer. */
const FICKLE: readonly WireKind[] = [
  [
    'fickle: another answer to each request',
    (socket) => {
      asked += 1;
      const fields = `location: /${asked}\r\nx-type: ${TYPES[asked % TYPES.length] ?? ''}\r\n`;
      socket.write(answer(`${asked} ${PAGE}`, fields, TURNS[asked % TURNS.length]));
    },
    {},
  ],
  [
    'fickle: every path is a page as large as is kept',
    (socket) => {
      socket.write(answer(`<!doctype html><html lang="en"><p>${'large page '.repeat(200_000)}`));
    },
    {},
  ],
  ['fickle: every path is the same page', say(answer(PAGE)), {}],
  ['fickle: an event stream that says nothing', say('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'), {}],
];

/** Answers that are HTTP, and lie. */
export const ANSWER_KINDS = wireKinds([...STATUSES, ...CHARSETS, ...FICKLE]);
