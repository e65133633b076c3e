import { connect } from 'node:net';
import type { HttpAnswer } from '../support/http-client.js';

/** What came back on one connection. */
export interface Reply {
  readonly answers: readonly HttpAnswer[];
  /** What in the bytes was no HTTP. */
  readonly faults: readonly string[];
}

/** How long a request that may be incomplete is left alone before its client ends the connection. */
const PATIENCE_MS = 40;
/** A complete request gets its answer, and an ended connection its end, well within this. */
const ANSWER_MS_MAX = 4_000;

/**
 * Sends bytes as they are, on a connection of their own. Once the first answer is whole, or when none comes to a request that may be
 * incomplete, the client ends its side, and everything up to the server's end is read.
 */
export function sendBytes(port: number, bytes: Buffer, { method, isOdd }: { method: string; isOdd: boolean }) {
  return new Promise<Reply>((resolve) => {
    const pieces: Buffer[] = [];
    const faults: string[] = [];
    const socket = connect({ port, host: '127.0.0.1' }, () => void socket.write(bytes));
    const patience = isOdd ? setTimeout(() => socket.end(), PATIENCE_MS) : undefined;
    const limit = setTimeout(() => {
      faults.push(`the connection is open after ${ANSWER_MS_MAX} ms`);
      socket.destroy();
    }, ANSWER_MS_MAX);
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      if (parseAnswers(Buffer.concat(pieces), method, false).answers.length > 0) socket.end();
    });
    // A server that refuses early closes while we still write; what counts is what it answered.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(limit);
      const parsed = parseAnswers(Buffer.concat(pieces), method, true);
      resolve({ answers: parsed.answers, faults: [...faults, ...parsed.faults] });
    });
  });
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/;

/** Reads a stream of answers by the letter of RFC 9112; the 1xx ones are left out. */
function parseAnswers(bytes: Buffer, method: string, isWhole: boolean): Reply {
  const answers: HttpAnswer[] = [];
  let rest = bytes;
  const stop = (fault: string): Reply => ({ answers, faults: isWhole ? [fault] : [] });
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd === -1) return stop(`the head of an answer has no end: ${excerpt(rest)}`);
    const head = readHead(rest.subarray(0, headEnd).toString('latin1'));
    if (typeof head === 'string') return stop(head);
    rest = rest.subarray(headEnd + 4);
    if (head.status < 200) continue;
    const hasBody = head.status !== 204 && head.status !== 304 && !isBodyless(answers.length === 0 ? method : '', rest);
    const length = hasBody ? Number(head.headers['content-length']) : 0;
    if (!Number.isSafeInteger(length)) return stop('an answer has no Content-Length');
    if (rest.length < length) return stop('an answer is shorter than its Content-Length');
    answers.push({ method: hasBody ? 'GET' : method, ...head, text: rest.subarray(0, length).toString() });
    rest = rest.subarray(length);
  }
  return { answers, faults: [] };
}

/** To HEAD there is no body; only what was never understood as a HEAD may be answered with one. */
function isBodyless(method: string, rest: Buffer): boolean {
  return method === 'HEAD' && (rest.length === 0 || rest.subarray(0, 5).toString() === 'HTTP/');
}

function readHead(text: string): { status: number; headers: Record<string, string> } | string {
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) return `no status line: ${excerpt(Buffer.from(text, 'latin1'))}`;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '') return `no header line: ${JSON.stringify(line)}`;
    if (name.toLowerCase() in headers) return `the header ${name} is there twice`;
    headers[name.toLowerCase()] = value;
  }
  return { status: Number(status), headers };
}

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 80).toString('latin1'));
}
