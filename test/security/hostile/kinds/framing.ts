import { answer, CHUNKED_HEAD, OK_HEAD, say, type Talk, type WireKind, wireKinds } from '../wire-kind.js';

/** Heads and frames that are not what HTTP says, as `[name, what is said]`; the connection stays. */
const LENGTHS: readonly (readonly [name: string, text: string, isRead?: true])[] = [
  ['shorter than the body', `${OK_HEAD}content-length: 2\r\n\r\nok${'x'.repeat(5000)}`, true],
  ['longer than the body', `${OK_HEAD}content-length: 5000\r\n\r\nok`],
  ['negative', `${OK_HEAD}content-length: -1\r\n\r\nok`],
  ['with a sign', `${OK_HEAD}content-length: +2\r\n\r\nok`],
  ['in hexadecimal', `${OK_HEAD}content-length: 0x2\r\n\r\nok`],
  ['with a fraction', `${OK_HEAD}content-length: 2.0\r\n\r\nok`],
  ['empty', `${OK_HEAD}content-length:\r\n\r\nok`],
  ['past every integer', `${OK_HEAD}content-length: 99999999999999999999999\r\n\r\nok`],
  ['two that differ', `${OK_HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`],
  ['two in one field', `${OK_HEAD}content-length: 2, 3\r\n\r\nok!`],
  ['alongside chunks', `${OK_HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ['after chunks', `${OK_HEAD}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
];

const CHUNKS: readonly (readonly [name: string, text: string, isRead?: true])[] = [
  ['a negative size', `${CHUNKED_HEAD}-1\r\nx\r\n0\r\n\r\n`],
  ['a size past every integer', `${CHUNKED_HEAD}FFFFFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n`],
  ['a size that is the largest', `${CHUNKED_HEAD}FFFFFFFFFFFFFFFF\r\nx\r\n0\r\n\r\n`],
  ['no size', `${CHUNKED_HEAD}\r\nx\r\n0\r\n\r\n`],
  ['a size that is too small', `${CHUNKED_HEAD}1\r\nxyz\r\n0\r\n\r\n`],
  ['bare line feeds', `${CHUNKED_HEAD}2\nok\n0\n\n`],
  ['a coding beneath', `${OK_HEAD}transfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, true],
  ['a coding above', `${OK_HEAD}transfer-encoding: chunked, gzip\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ['identity', `${OK_HEAD}transfer-encoding: identity\r\n\r\nok`],
  ['twice', `${OK_HEAD}transfer-encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, true],
  ['an unknown transfer coding', `${OK_HEAD}transfer-encoding: xchunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
  ['under HTTP/1.0', `HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, true],
];

const HEADS: readonly (readonly [name: string, text: string, isRead?: true])[] = [
  ['random bytes', Array.from({ length: 5000 }, (_, index) => String.fromCharCode((index * 7919) % 251)).join('')],
  ['a mail server', '220 mail.hostile-site.com ESMTP\r\n'],
  ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ['HTTP/0.9', '<!doctype html><title>Page</title>'],
  ['HTTP/9.9', 'HTTP/9.9 200 OK\r\ncontent-length: 2\r\n\r\nok'],
  ['ICY', 'ICY 200 OK\r\ncontent-length: 2\r\n\r\nok'],
  ['a request', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['NUL in a field', `${OK_HEAD}x: a\0b\r\ncontent-length: 2\r\n\r\nok`],
  ['NUL in a field name', `${OK_HEAD}x\0y: a\r\ncontent-length: 2\r\n\r\nok`],
  ['control characters in a field', `${OK_HEAD}x: a\x01\x1b[2J\x7f\r\ncontent-length: 2\r\n\r\nok`],
  ['a folded field', `${OK_HEAD}x: a\r\n b\r\n\tc\r\ncontent-length: 2\r\n\r\nok`, true],
  ['a fold first', `HTTP/1.1 200 OK\r\n x: a\r\ncontent-length: 2\r\n\r\nok`],
  ['a bare carriage return', `${OK_HEAD}x: a\rb: c\r\ncontent-length: 2\r\n\r\nok`],
  ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-type: text/html\ncontent-length: 2\n\nok'],
  ['a field without a colon', `${OK_HEAD}nothing\r\ncontent-length: 2\r\n\r\nok`],
  ['a blank before the colon', `${OK_HEAD}content-length : 2\r\n\r\nok`],
  ['no field name', `${OK_HEAD}: a\r\ncontent-length: 2\r\n\r\nok`],
  ['a field of the prototype', `${OK_HEAD}__proto__: a\r\nconstructor: b\r\ncontent-length: 2\r\n\r\nok`, true],
  ['bytes that are not UTF-8', `${OK_HEAD}link: <\xff\xfe\x80>; rel=\xc0\xaf\r\ncontent-length: 2\r\n\r\nok`, true],
];

const STATUS_LINES: readonly (readonly [name: string, line: string, isRead?: true])[] = [
  ['000', 'HTTP/1.1 000 Nothing'],
  ['099', 'HTTP/1.1 099 Less'],
  ['600', 'HTTP/1.1 600 More'],
  ['999', 'HTTP/1.1 999 Request denied'],
  ['99999', 'HTTP/1.1 99999 Far'],
  ['-1', 'HTTP/1.1 -1 Below'],
  ['2e2', 'HTTP/1.1 2e2 Number'],
  ['no number', 'HTTP/1.1 OK'],
  ['no reason', 'HTTP/1.1 200', true],
  ['a reason of 15,000 characters', `HTTP/1.1 200 ${'x'.repeat(15_000)}`, true],
];

const lying = (
  family: string,
  rows: readonly (readonly [name: string, text: string, isRead?: true])[],
  toText = (text: string) => text,
): WireKind[] => rows.map(([name, text, isRead]) => [`${family}: ${name}`, say(toText(text)), isRead ? {} : 'nothing']);

/** Second answers on a connection, and connections that are not what they were said to be. */
const CONNECTIONS: Readonly<Record<string, Talk>> = {
  'pushes a second answer that nobody asked for': say(
    Buffer.concat([answer('mine'), answer('<title>poison</title>', 'x-poison: 1\r\n')]),
  ),
  'pushes a second answer a moment later': (socket) => {
    socket.write(answer('mine'));
    setTimeout(() => socket.write(answer('<title>poison</title>')), 2);
  },
  'hides an answer in the body of a shorter one': say(
    `${OK_HEAD}content-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison`,
  ),
  'says keep-alive and closes after each answer': say(
    answer('ok', 'connection: keep-alive\r\nkeep-alive: timeout=9999\r\n'),
    'close',
  ),
  'says keep-alive and resets after each answer': say(answer('ok', 'connection: keep-alive\r\n'), 'reset'),
  'says close and stays': say(answer('ok', 'connection: close\r\n')),
  'keep-alive for a wrong number of seconds': say(
    answer('ok', 'connection: keep-alive\r\nkeep-alive: timeout=99999999999999, max=-1\r\n'),
  ),
};

/** Answers that break the rules of HTTP/1.1 (RFC 9112), one at a time. */
export const FRAMING_KINDS = wireKinds([
  ...lying('length', LENGTHS),
  ...lying('chunked', CHUNKS),
  ...lying('head', HEADS),
  ...lying('status', STATUS_LINES, (line) => `${line}\r\ncontent-length: 2\r\n\r\nok`),
  ...Object.entries(CONNECTIONS).map(([name, talk]): WireKind => [`connection: ${name}`, talk, {}]),
]);
