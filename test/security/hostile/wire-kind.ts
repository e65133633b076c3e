import type { Socket } from 'node:net';
import { GOOD_GUIDES, GOOD_ROUTES } from './good-site.js';
import { type Behave, startHost } from './host.js';
import type { HostileKind, Yields } from './kind.js';
import { answering } from './site.js';

/** A kind whose harm is in how it talks, and what a run yields when the home page answers so; by default nothing. */
export type WireKind = readonly [name: string, behave: Behave, homeYields?: Yields];

const answerWell = answering(GOOD_ROUTES);

/**
 * Two sites a kind: one whose every path answers so, which often ends a run at its home page; and one whose home page,
 * robots.txt, llms.txt and sitemap are in order, and lead a scan into as many of the hostile answers as it may ask for.
 */
export function wireKinds(kinds: readonly WireKind[]): HostileKind[] {
  return kinds.flatMap(([name, behave, yields = 'nothing']) => [
    { name, yields, start: () => startHost(behave) },
    {
      name: `${name} ${BEHIND}`,
      yields: GOOD_YIELDS,
      start: () =>
        startHost((socket, request) => {
          const isGuide = GOOD_GUIDES.includes(request.path) && request.method === 'GET';
          (isGuide ? answerWell : behave)(socket, request);
        }),
    },
  ]);
}

const BEHIND = '(behind good files)';

/** Since the files were read, whatever the paths behind them do. */
const GOOD_YIELDS: Yields = { 'C-BOT-01': 'PASS' };

/** The name without what tells the two sites of a kind apart. */
export function familyName(name: string): string {
  return name.endsWith(BEHIND) ? name.slice(0, -BEHIND.length - 1) : name;
}

/** What is said whatever was asked. */
export type Talk = (socket: Socket) => void;

/** What becomes of a connection after the last word. */
export type Then = 'stay' | 'close' | 'reset';

/** Says this to every request, byte for byte in Latin-1. */
export function say(text: string | Uint8Array, then: Then = 'stay'): Talk {
  return (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text, () => {
      if (then === 'close') socket.end();
      // What was written must have left before the reset throws it away.
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 5);
    });
  };
}

/** Says this, then a piece again and again, some milliseconds apart, until the connection ends. */
export function dripAfter(start: string | Uint8Array, piece: string | Uint8Array, everyMs = 20): Talk {
  return (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Says this, then a piece as often and as fast as the other side takes it, until the connection ends. */
export function floodAfter(start: string | Uint8Array, piece: string | Uint8Array): Talk {
  const chunk = Buffer.from(piece as string, 'latin1');
  const large = Buffer.concat(Array<Buffer>(Math.max(1, Math.floor(65_536 / chunk.length))).fill(chunk));
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

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

/** The head of an answer up to where its own header fields come. */
export const OK_HEAD = HEAD;
/** A head whose body comes in chunks. */
export const CHUNKED_HEAD = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

/** A whole answer with a length that is right. */
export function answer(body: string | Uint8Array, fields = '', status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as string, 'latin1');
  const head = `HTTP/1.1 ${status}\r\ncontent-type: text/html\r\n${fields}content-length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes]);
}
