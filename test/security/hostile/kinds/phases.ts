import type { Socket } from 'node:net';
import type { HostileKind, Yields } from '../kind.js';
import { startHost } from '../host.js';
import { CHUNKED_HEAD, dripAfter, OK_HEAD, say, type Then, type WireKind, wireKinds } from '../wire-kind.js';

/** How far an answer comes. */
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

const VERBS: Readonly<Record<Then, string>> = { stay: 'stalls', close: 'closes', reset: 'resets' };

const AT_EVERY_PHASE = (['stay', 'close', 'reset'] as const).flatMap((then) =>
  wireKinds(Object.entries(PHASES).map(([phase, text]): WireKind => [`${VERBS[then]} ${phase}`, say(text, then)])),
);

const UNASKED = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Before any request was read. */
const AT_ONCE: readonly HostileKind[] = (
  [
    ['stalls at accept', (socket) => socket.pause()],
    ['closes at accept', (socket) => socket.end()],
    ['resets at accept', (socket) => socket.resetAndDestroy()],
    ['talks at accept', (socket) => socket.write(UNASKED), {}],
    ['half-open: sends its FIN at accept and goes on reading', (socket) => socket.resume().end(), 'nothing', true],
  ] as readonly (readonly [
    name: string,
    onConnection: (socket: Socket) => unknown,
    yields?: Yields,
    isHalfOpen?: true,
  ])[]
).map(([name, onConnection, yields = 'nothing', isHalfOpen]) => ({
  ...{ name, yields },
  start: () =>
    startHost(null, { ...(isHalfOpen && { isHalfOpen }), onConnection: (socket) => void onConnection(socket) }),
}));

const DRIPS = wireKinds([
  ['drips header fields', dripAfter(`${OK_HEAD}x: `, 'x')],
  ['drips whole header fields', dripAfter(OK_HEAD, 'a: b\r\n')],
  ['drips a body', dripAfter(`${OK_HEAD}content-length: 1000000\r\n\r\n`, 'x')],
  ['drips chunks of one byte', dripAfter(CHUNKED_HEAD, '1\r\nx\r\n')],
  ['drips the digits of a chunk size', dripAfter(CHUNKED_HEAD, '0')],
  ['drips empty lines before the status line', dripAfter('', '\r\n')],
  ['drips 103 answers', dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ['drips trailers', dripAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n')],
]);

/** Answers that stop, break off or drip at every point of their way. */
export const PHASE_KINDS: readonly HostileKind[] = [...AT_ONCE, ...AT_EVERY_PHASE, ...DRIPS];
