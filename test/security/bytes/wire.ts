import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { HttpAnswer } from '../../support/http-client.js';

/** What came back on one connection. */
export interface Reply {
  readonly answers: readonly HttpAnswer[];
  /** What in the bytes was not HTTP. */
  readonly faults: readonly string[];
}

/** How long a request that may be incomplete is left alone before its client ends the connection. */
const PATIENCE_MS = 40;
/** A complete request gets its answer, and an ended connection its end, well within this, on a busy machine too. */
const ANSWER_MS_MAX = 15_000;

export interface Sending {
  /** Of the requests in the order of their answers. */
  readonly methods: readonly string[];
  /** Whether the server may wait for more than there is. */
  readonly isOdd: boolean;
  /** What the client does once all is written: waits for the answers, ends its side, or breaks the connection. */
  readonly then?: 'wait' | 'end' | 'break';
}

/**
 * Sends bytes as they are, on a connection of their own, each piece by itself. Once as many answers are whole as there are methods, or
 * when none comes to a request that may be incomplete, the client ends its side, and everything up to the server's end is read.
 */
export function sendBytes(port: number, pieces: readonly Buffer[], { methods, isOdd, then = 'wait' }: Sending) {
  return new Promise<Reply>((resolve) => {
    const received: Buffer[] = [];
    const faults: string[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void writeAll(socket, pieces, then));
    const patience = isOdd ? setTimeout(() => socket.end(), PATIENCE_MS) : undefined;
    const limit = setTimeout(() => {
      faults.push(`the connection is open after ${ANSWER_MS_MAX} ms`);
      socket.destroy();
    }, ANSWER_MS_MAX);
    socket.on('data', (piece: Buffer) => {
      received.push(piece);
      if (parseAnswers(Buffer.concat(received), methods, false).answers.length >= methods.length) socket.end();
    });
    // A server that refuses early closes while we still write; what counts is what it answered.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(patience);
      clearTimeout(limit);
      const parsed = parseAnswers(Buffer.concat(received), methods, true);
      resolve({ answers: parsed.answers, faults: [...faults, ...(then === 'break' ? [] : parsed.faults)] });
    });
  });
}

async function writeAll(socket: Socket, pieces: readonly Buffer[], then: Sending['then']): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    // A turn of the loop in between, so that the server reads them one by one.
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    socket.write(piece);
  }
  if (then === 'end') socket.end();
  if (then === 'break') socket.resetAndDestroy();
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/;

/** Reads a stream of answers by the letter of RFC 9112; the 1xx ones are left out. */
function parseAnswers(bytes: Buffer, methods: readonly string[], isWhole: boolean): Reply {
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
    const method = methods[answers.length] ?? '';
    const hasBody = head.status !== 204 && head.status !== 304 && !isBodyless(method, rest);
    const body = hasBody ? readBody(head.headers, rest, isWhole) : { content: Buffer.alloc(0), length: 0 };
    if (typeof body === 'string') return stop(body);
    const text = textOf(head.headers, body.content);
    answers.push({ method: hasBody ? 'GET' : method, ...head, text, bytes: body.content });
    rest = rest.subarray(body.length);
  }
  return { answers, faults: [] };
}

/** The body and how many bytes it takes, or what is wrong with it. */
function readBody(headers: Headers, rest: Buffer, isWhole: boolean): { content: Buffer; length: number } | string {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding === 'chunked') return length === undefined ? readChunks(rest) : 'an answer has two framings';
  // To HTTP/1.0, what has no length ends with the connection.
  if (length === undefined && isWhole && headers.connection === 'close') return { content: rest, length: rest.length };
  if (!/^[0-9]{1,9}$/.test(length ?? '')) return 'an answer has no Content-Length';
  if (rest.length < Number(length)) return 'an answer is shorter than its Content-Length';
  return { content: rest.subarray(0, Number(length)), length: Number(length) };
}

function readChunks(bytes: Buffer): { content: Buffer; length: number } | string {
  const pieces: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? '' : bytes.subarray(at, lineEnd).toString('latin1');
    if (!/^[0-9a-f]{1,8}$/.test(size)) return 'an answer has a chunk without a size';
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (bytes.subarray(end, end + 2).toString('latin1') !== '\r\n') return 'a chunk of an answer has no end';
    if (end === start) return { content: Buffer.concat(pieces), length: end + 2 };
    pieces.push(bytes.subarray(start, end));
    at = end + 2;
  }
}

function textOf(headers: Headers, content: Buffer): string {
  const coding = headers['content-encoding'];
  if (content.length === 0) return '';
  if (coding === 'gzip') return gunzipSync(content).toString();
  return (coding === 'br' ? brotliDecompressSync(content) : content).toString();
}

/** To HEAD there is no body; only what was never understood as a HEAD may be answered with one. */
function isBodyless(method: string, rest: Buffer): boolean {
  return method === 'HEAD' && (rest.length === 0 || rest.subarray(0, 5).toString() === 'HTTP/');
}

type Headers = Readonly<Record<string, string | undefined>>;

function readHead(text: string): { status: number; headers: Record<string, string> } | string {
  const [first = '', ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) return `no status line: ${excerpt(Buffer.from(text, 'latin1'))}`;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === '') return `no header line: ${JSON.stringify(line)}`;
    const key = name.toLowerCase();
    // Each cookie has a line of its own (RFC 6265 §3): a sign-in sets the new session and may end the old one.
    if (key in headers && key !== 'set-cookie') return `the header ${name} is there twice`;
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return { status: Number(status), headers };
}

function excerpt(bytes: Buffer): string {
  return JSON.stringify(bytes.subarray(0, 80).toString('latin1'));
}
