import type { HostileKind } from '../kind.js';
import { startHost } from '../host.js';
import { CHUNKED_HEAD, dripAfter, OK_HEAD, say, type Then, wireKinds } from '../wire-kind.js';

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

const HARMS: Readonly<Record<Then, readonly [verb: string, harm: string]>> = {
  stay: ['stalls', 'keeps a connection, and whoever waits for it, for ever'],
  close: ['closes', 'has half an answer taken for a whole one'],
  reset: ['resets', 'throws an error where nobody listens any more'],
};

const AT_EVERY_PHASE = (['stay', 'close', 'reset'] as const).flatMap((then) =>
  wireKinds(
    Object.entries(PHASES).map(([phase, text]) => {
      const [verb, harm] = HARMS[then];
      return { name: `${verb} ${phase}`, harm, behave: say(text, then) };
    }),
  ),
);

/** Before any request was read. */
const AT_ONCE: readonly HostileKind[] = [
  {
    name: 'stalls at accept',
    harm: 'has a scanner wait for a connection that nobody ever reads from',
    yields: 'nothing',
    start: () => startHost(null, { onConnection: (socket) => socket.pause() }),
  },
  {
    name: 'closes at accept',
    harm: 'ends a connection before the request is on its way',
    yields: 'nothing',
    start: () => startHost(null, { onConnection: (socket) => socket.end() }),
  },
  {
    name: 'resets at accept',
    harm: 'breaks a connection before the request is on its way',
    yields: 'nothing',
    start: () => startHost(null, { onConnection: (socket) => socket.resetAndDestroy() }),
  },
  {
    name: 'talks at accept',
    harm: 'answers before it was asked',
    yields: {},
    start: () =>
      startHost(null, { onConnection: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok') }),
  },
  {
    name: 'half-open: sends its FIN at accept and goes on reading',
    harm: 'keeps a connection that has ended on one side only',
    yields: 'nothing',
    start: () => startHost(null, { isHalfOpen: true, onConnection: (socket) => socket.resume().end() }),
  },
];

const DRIPS = wireKinds([
  {
    name: 'drips header fields',
    harm: 'is never silent long enough for a timeout between two bytes',
    behave: dripAfter(`${OK_HEAD}x: `, 'x'),
  },
  {
    name: 'drips whole header fields',
    harm: 'is never silent long enough for a timeout between two fields',
    behave: dripAfter(OK_HEAD, 'a: b\r\n'),
  },
  {
    name: 'drips a body',
    harm: 'keeps a reader busy that has no deadline for the whole',
    behave: dripAfter(`${OK_HEAD}content-length: 1000000\r\n\r\n`, 'x'),
  },
  {
    name: 'drips chunks of one byte',
    harm: 'sends five bytes around each byte, and never the last',
    behave: dripAfter(CHUNKED_HEAD, '1\r\nx\r\n'),
  },
  {
    name: 'drips the digits of a chunk size',
    harm: 'never comes to the first byte of the body',
    behave: dripAfter(CHUNKED_HEAD, '0'),
  },
  {
    name: 'drips empty lines before the status line',
    harm: 'never comes to the first byte of the answer',
    behave: dripAfter('', '\r\n'),
  },
  {
    name: 'drips 103 answers',
    harm: 'begins again the wait for header fields with each of them',
    behave: dripAfter('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  },
  {
    name: 'drips trailers',
    harm: 'keeps a body from its end, all of which is there',
    behave: dripAfter(`${CHUNKED_HEAD}2\r\nok\r\n0\r\n`, 'a: b\r\n'),
  },
]);

/** Answers that stop, break off or drip at every point of their way. */
export const PHASE_KINDS: readonly HostileKind[] = [...AT_ONCE, ...AT_EVERY_PHASE, ...DRIPS];
