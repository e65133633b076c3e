import { page } from '../../../fixtures/sites/parts.js';
import { say, wireKinds, answer, type WireKind } from '../wire-kind.js';

const PAGE = page({ title: 'Page', body: '<h1>Page</h1>' });

function plain(name: string, harm: string, status: string, fields = '', body: string | Uint8Array = PAGE): WireKind {
  return { name, harm, behave: say(answer(body, fields, status)), homeYields: {} };
}

/** Statuses that mean something else than an answer. */
const STATUSES: readonly WireKind[] = [
  plain('status: 204 with a body', 'sends what must not be there', '204 No Content'),
  plain('status: 304 with a body', 'sends what must not be there', '304 Not Modified'),
  plain('status: 205 with a body', 'sends what must not be there', '205 Reset Content'),
  plain(
    'status: 206 nobody asked for',
    'has a part taken for the whole',
    '206 Partial Content',
    'content-range: bytes 5-9/3\r\n',
  ),
  plain(
    'status: 416',
    'refuses a range that nobody asked for',
    '416 Range Not Satisfiable',
    'content-range: bytes */-1\r\n',
  ),
  plain('status: 401', 'asks for credentials', '401 Unauthorized', 'www-authenticate: Negotiate, Basic realm="x"\r\n'),
  plain(
    'status: 407',
    'asks for credentials as a proxy would',
    '407 Proxy Authentication Required',
    'proxy-authenticate: Basic\r\n',
  ),
  plain('status: 426', 'asks for another protocol', '426 Upgrade Required', 'upgrade: h2c\r\nconnection: upgrade\r\n'),
  plain('status: 421', 'sends the request elsewhere', '421 Misdirected Request'),
  plain('status: 425', 'asks for the same again', '425 Too Early'),
  {
    name: 'status: 101 to whoever asked for no upgrade',
    harm: 'turns the connection into another protocol',
    behave: say('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\x81\x05hello'),
  },
  {
    name: 'status: 100 and nothing more',
    harm: 'promises an answer',
    behave: say('HTTP/1.1 100 Continue\r\n\r\n'),
  },
  ...[
    '-1',
    '31536000',
    '99999999999999999999',
    'Infinity',
    '1e9',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'x'.repeat(9000),
  ].flatMap((wait) =>
    ['429 Too Many Requests', '503 Service Unavailable'].map((status) => ({
      ...plain(
        `status: ${status.slice(0, 3)}, try again after ${wait.slice(0, 40)}`,
        'has a scanner wait',
        status,
        `retry-after: ${wait}\r\n`,
      ),
      homeYields: 'nothing' as const,
    })),
  ),
];

/** Texts that say they are another. */
const CHARSETS: readonly WireKind[] = [
  ...['utf-16', 'utf-16be', 'utf-32', 'utf-7', 'x-user-defined', 'nonsense', 'iso-2022-jp', 'replacement'].map(
    (charset) => ({
      name: `charset: ${charset} of what is ASCII`,
      harm: 'has a text read as another',
      behave: say(
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=${charset}\r\ncontent-length: ${PAGE.length}\r\n\r\n${PAGE}`,
        ),
      ),
      homeYields: {},
    }),
  ),
  plain('charset: a mark of UTF-16 before ASCII', 'has a text read as another', '200 OK', '', `\xff\xfe${PAGE}`),
  plain(
    'charset: a mark of UTF-16, odd',
    'ends in half of a character',
    '200 OK',
    '',
    Buffer.from(`\ufeff${PAGE}x`, 'utf16le').subarray(0, -1),
  ),
  plain(
    'charset: ten thousand marks of UTF-8',
    'hides the first character',
    '200 OK',
    '',
    Buffer.from('\ufeff'.repeat(10_000) + PAGE),
  ),
  plain(
    'charset: a million bytes that are none',
    'has each of them replaced',
    '200 OK',
    '',
    Buffer.alloc(1_000_000, 0xff),
  ),
  {
    name: 'charset: a Content-Type with five thousand parameters',
    harm: 'has a list read whose every part is a parameter',
    behave: say(`HTTP/1.1 200 OK\r\ncontent-type: text/html${';a='.repeat(5000)}\r\ncontent-length: 2\r\n\r\nok`),
    homeYields: {},
  },
  {
    name: 'charset: a Content-Type of quotes',
    harm: 'has a string looked for that never closes',
    behave: say(`HTTP/1.1 200 OK\r\ncontent-type: text/html;a="${'\\"'.repeat(7000)}\r\ncontent-length: 2\r\n\r\nok`),
    homeYields: {},
  },
];

let asked = 0;
const TURNS = ['200 OK', '404 Not Found', '500 Oops', '302 Found', '403 Forbidden', '204 No Content'];
const TYPES = ['text/html', 'application/json', 'text/plain', 'application/xml', 'text/markdown'];

/** Answers that agree with no other answer. */
const FICKLE: readonly WireKind[] = [
  {
    name: 'fickle: another answer to each request',
    harm: 'has a comparison of two answers never come to an end',
    behave: (socket) => {
      asked += 1;
      const fields = `location: /${asked}\r\nx-type: ${TYPES[asked % TYPES.length] ?? ''}\r\n`;
      socket.write(answer(`${asked} ${PAGE}`, fields, TURNS[asked % TURNS.length]));
    },
    homeYields: {},
  },
  {
    name: 'fickle: every path is a page as large as is kept',
    harm: 'has thirty of them held in memory',
    behave: (socket) => {
      socket.write(answer(`<!doctype html><html lang="en"><p>${'large page '.repeat(200_000)}`));
    },
    homeYields: {},
  },
  {
    name: 'fickle: every path is the same page',
    harm: 'has every file be there',
    behave: say(answer(PAGE)),
    homeYields: {},
  },
  {
    name: 'fickle: an event stream that says nothing',
    harm: 'has no end by its nature',
    behave: say('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'),
    homeYields: {},
  },
];

/** Answers that are HTTP, and lie. */
export const ANSWER_KINDS = wireKinds([...STATUSES, ...CHARSETS, ...FICKLE]);
