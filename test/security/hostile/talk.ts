import type { Socket } from 'node:net';
import { type Behave, type HostileKind, startHost } from './host.js';
import { answering, GOOD_GUIDES, GOOD_ROUTES } from './site.js';

/** A way to answer, and what a run yields if the home page answers so; by default nothing. */
export type WireKind = readonly [name: string, behave: Behave, yields?: 'anything' | undefined];

const answerWell = answering(GOOD_ROUTES);
const BEHIND = '(behind good files)';

/**
 * Two sites for each kind: one that answers so on every path, which often ends a run at its home page; and one whose home page,
 * robots.txt, llms.txt and sitemap are good and lead a scan to the hostile answers.
 */
export function wireKinds(kinds: readonly WireKind[]): HostileKind[] {
  return kinds.flatMap(([name, behave, yields]): HostileKind[] => [
    { name, yields: yields ?? 'nothing', start: () => startHost(behave) },
    {
      name: `${name} ${BEHIND}`,
      yields: 'robots.txt',
      start: () =>
        startHost((socket, request) => {
          const isGuide = GOOD_GUIDES.includes(request.path) && request.method === 'GET';
          return (isGuide ? answerWell : behave)(socket, request);
        }),
    },
  ]);
}

/** Returns the name without what distinguishes the two sites of a kind. */
export function familyName(name: string): string {
  return name.replace(` ${BEHIND}`, '');
}

/** Answers every request alike. */
export type Talk = (socket: Socket) => void;

/** What happens to the connection afterwards. */
export type Then = 'stay' | 'close' | 'reset';

/** Sends these bytes, or this text in Latin-1. */
export function say(text: string | Uint8Array, then: Then = 'stay'): Talk {
  return (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text, () => {
      if (then === 'close') socket.end();
      // A reset discards what has not left yet.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 5);
    });
  };
}

/** Sends the start, then one piece every 20 ms until the connection ends. */
export function dripAfter(start: string | Uint8Array, piece: string): Talk {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Sends the start, then the piece as fast as the client reads, until the connection ends. */
export function floodAfter(start: string | Uint8Array, piece: string | Uint8Array): Talk {
  const chunk = Buffer.from(piece as string, 'latin1');
  const large = Buffer.concat(Array<Buffer>(Math.ceil(65_536 / chunk.length)).fill(chunk));
  return (socket) => {
    socket.write(start);
    pour(socket, large);
  };
}

function pour(socket: Socket, piece: Uint8Array): void {
  let isTaken = true;
  for (let count = 0; isTaken && count < 16 && !socket.destroyed; count += 1) isTaken = socket.write(piece);
  if (socket.destroyed) return;
  if (isTaken) setImmediate(pour, socket, piece);
  else socket.once('drain', () => pour(socket, piece));
}

/** The start of a head; more header fields may follow. */
export const OK_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
/** A whole head; chunks follow. */
export const CHUNKED_HEAD = `${OK_HEAD}transfer-encoding: chunked\r\n\r\n`;

/** A complete answer with the right length. */
export function answer(body: string | Uint8Array, fields = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as string, 'latin1');
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\n${fields}content-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
