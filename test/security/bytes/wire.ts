import { connect, type Socket } from 'node:net';

/** What came back on one connection. */
export interface Reply {
  /** Final statuses; 1xx responses are left out. */
  readonly statuses: readonly number[];
  /** Bytes that are not HTTP, or a connection that stayed open. */
  readonly faults: readonly string[];
}

/** How long the client waits for more answers before it ends a connection whose request may be incomplete. */
const PATIENCE_MS = 40;
/** Answers and the end of a connection arrive well within this, even on a busy machine. */
const ANSWER_MS_MAX = 15_000;

export interface Sending {
  /** How many answers are expected. */
  readonly count: number;
  /** True if the server may wait for more than is sent. */
  readonly isOdd?: boolean;
  /** What the client does once everything is written: wait for the answers, end its side, or reset the connection. */
  readonly then?: 'wait' | 'end' | 'break';
}

/**
 * Sends these bytes on a new connection, each piece in a packet of its own. The client ends its side after `count` answers, or after
 * PATIENCE_MS if the request may be incomplete. Then it reads until the server ends the connection.
 */
export function sendBytes(port: number, pieces: readonly Buffer[], { count, isOdd, then = 'wait' }: Sending) {
  return new Promise<Reply>((resolve) => {
    let received = '';
    const faults: string[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void writeAll(socket, pieces, then));
    const patience = isOdd === true ? setTimeout(() => socket.end(), PATIENCE_MS) : undefined;
    const limit = setTimeout(() => {
      faults.push(`the connection is open after ${ANSWER_MS_MAX} ms`);
      socket.destroy();
    }, ANSWER_MS_MAX);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (parseAnswers(received).statuses.length >= count) socket.end();
    });
    // A server that refuses early closes while we still write; only its answer counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(limit);
      const { statuses, rest } = parseAnswers(received);
      if (rest !== '' && then !== 'break') faults.push(`not an answer: ${JSON.stringify(rest.slice(0, 80))}`);
      resolve({ statuses, faults });
    });
  });
}

async function writeAll(socket: Socket, pieces: readonly Buffer[], then: Sending['then']): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    // A pause of one turn, so that the server reads the pieces one by one.
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    socket.write(piece);
  }
  if (then === 'end') socket.end();
  if (then === 'break') socket.resetAndDestroy();
}

/** The head of a response by the letter of RFC 9112. */
const HEAD = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\x20-\x7e]*\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\x20-\x7e]*\r\n)*)\r\n/;

/** Reads complete responses; `rest` is what follows the last one. */
function parseAnswers(text: string): { readonly statuses: readonly number[]; readonly rest: string } {
  const statuses: number[] = [];
  let rest = text;
  while (rest !== '') {
    const [head = '', status = '', fields = ''] = HEAD.exec(rest) ?? [];
    const body = head === '' ? null : bodyLength(Number(status), fields, rest.slice(head.length));
    if (body === null) break;
    if (Number(status) >= 200) statuses.push(Number(status));
    rest = rest.slice(head.length + body);
  }
  return { statuses, rest };
}

/** Returns null if the body is incomplete or its framing is wrong. */
function bodyLength(status: number, fields: string, rest: string): number | null {
  const [, length] = /^content-length: ([0-9]{1,9})\r$/im.exec(fields) ?? [];
  const isChunked = /^transfer-encoding: chunked\r$/im.test(fields);
  if (status < 200 || status === 204 || status === 304) return 0;
  if (isChunked) return length === undefined ? chunkedLength(rest) : null;
  // Without a length, the body of a response to HTTP/1.0 ends with the connection.
  if (length === undefined) return /^connection: close\r$/im.test(fields) ? rest.length : null;
  return Number(length) <= rest.length ? Number(length) : null;
}

function chunkedLength(rest: string): number | null {
  let at = 0;
  for (;;) {
    const [line = '', size = ''] = /^([0-9a-f]{1,8})\r\n/.exec(rest.slice(at)) ?? [];
    const end = at + line.length + Number.parseInt(size, 16);
    if (line === '' || rest.slice(end, end + 2) !== '\r\n') return null;
    if (size === '0') return end + 2;
    at = end + 2;
  }
}
