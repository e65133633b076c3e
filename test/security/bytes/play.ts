import { connect, type Socket } from 'node:net';
import type { House } from './house.js';

/** How long the client waits for more answers before it ends a connection whose request may be incomplete. */
const PATIENCE_MS = 40;
/** Answers and the end of a connection arrive well within this, even on a busy machine. */
const ANSWER_MS_MAX = 15_000;

interface Sending {
  /** How many answers the client waits for; by default one. */
  readonly count?: number;
  /** True if the server may wait for more than is sent. */
  readonly isOdd?: boolean;
  /** What the client does once everything is written: wait for the answers, end its side, or reset the connection. */
  readonly then?: 'wait' | 'end' | 'break';
}

/**
 * Sends these bytes on a new connection, each piece in a packet of its own. The client ends its side after `count` answers, or after
 * PATIENCE_MS if the request may be incomplete. Then it reads until the server ends the connection.
 */
function sendBytes(port: number, pieces: readonly Buffer[], { count = 1, isOdd = false, then = 'wait' }: Sending = {}) {
  return new Promise<{ readonly statuses: readonly number[]; readonly faults: readonly string[] }>((resolve) => {
    let received = '';
    /** Bytes that are not HTTP, or a connection that stayed open. */
    const faults: string[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void writeAll(socket, pieces, then));
    const patience = isOdd ? setTimeout(() => socket.end(), PATIENCE_MS) : undefined;
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
    // A pause, so that the server reads the pieces one by one.
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, 1));
    socket.write(piece);
  }
  if (then === 'end') socket.end();
  if (then === 'break') socket.resetAndDestroy();
}

/** The head of a response as RFC 9112 defines it. */
const HEAD = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\x20-\x7e]*\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\x20-\x7e]*\r\n)*)\r\n/;

/** Returns the final statuses of complete responses, without 1xx; `rest` is what follows the last one. */
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
  return length !== undefined && Number(length) <= rest.length ? Number(length) : null;
}

function chunkedLength(rest: string): number | null {
  for (let at = 0; ;) {
    const [line = '', size = ''] = /^([0-9a-f]{1,8})\r\n/.exec(rest.slice(at)) ?? [];
    const end = at + line.length + Number.parseInt(size, 16);
    if (line === '' || rest.slice(end, end + 2) !== '\r\n') return null;
    if (size === '0') return end + 2;
    at = end + 2;
  }
}

const HOST = 'HTTP/1.1\r\nHost: readiness.test\r\n';
const API = `${HOST}Authorization: Bearer {good}\r\n`;
const TE = 'Transfer-Encoding: chunked\r\n';
const FORM = 'name=&x=%C3%A9';
const RPC =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_check","arguments":{"checkId":"C-LLMS-01"}}}';
const RPC_FIELDS = 'Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n';
const FORM_FIELDS = 'Sec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n';

/** One valid request to each part of the service, with its status. None changes the status of another. */
const REQUESTS: readonly (readonly [text: string, status: number])[] = [
  [`GET /api/v1/sites/{own}/runs/1 ${API}\r\n`, 200],
  [`POST /api/v1/sites/{unverified}/runs ${API}Content-Length: 7\r\n\r\n{"a":1}`, 409],
  [`POST /api/v1/sites/{unverified}/runs ${API}${TE}\r\n3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nX: y\r\n\r\n`, 409],
  [
    `POST /keys ${HOST}Cookie: __Host-session={cookie}\r\n${FORM_FIELDS}Content-Length: ${FORM.length}\r\n\r\n${FORM}`,
    422,
  ],
  [`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${RPC_FIELDS}Content-Length: ${RPC.length}\r\n\r\n${RPC}`, 200],
  [`POST /hooks/deploy/{hook}?wait=x ${HOST}Content-Length: 3\r\n\r\nabc`, 400],
  [`GET /metrics ${HOST}Authorization: Bearer {metrics}\r\n\r\n`, 200],
];

const AT_ONCE = 24;

/**
 * Cuts each request at every `step`-th byte. The rest follows later, or never: the client ends or resets the connection. A request that
 * arrives whole gets its usual answer, and an incomplete one at most a refusal.
 */
export async function playCuts(house: House, step = 1): Promise<string[]> {
  const member: Readonly<Record<string, string>> = await house.addMember();
  const faults: string[] = [];
  const cut = async (bytes: Buffer, at: number, status: number): Promise<void> => {
    const about = `${bytes.toString('latin1', 0, 30)} cut at ${at}`;
    const [start, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
    const whole = await sendBytes(house.port, [start, rest]);
    const ended = await sendBytes(house.port, [start], { then: 'end' });
    const broken = await sendBytes(house.port, [start], { then: 'break' });
    faults.push(...[whole, ended, broken].flatMap((reply) => reply.faults.map((fault) => `${about}: ${fault}`)));
    if (String(whole.statuses) !== String(status)) faults.push(`${about}: ${String(whole.statuses)}, not ${status}`);
    const isRefused = ended.statuses.every((seen) => [400, 408, status].includes(seen));
    if (!isRefused || ended.statuses.length > 1) faults.push(`${about} and ended: ${String(ended.statuses)}`);
  };
  const jobs = REQUESTS.flatMap(([text, status]) => {
    const bytes = Buffer.from(
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => member[name] ?? whole),
      'latin1',
    );
    const count = Math.floor((bytes.length - 1) / step);
    return Array.from({ length: count }, (_, index) => () => cut(bytes, 1 + index * step, status));
  }).values();
  const work = async (): Promise<void> => {
    for (const job of jobs) await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults;
}

/** How many of the two requests may be answered. */
type Wanted = 'refused' | 'refused or one' | 'both';

type Vector = readonly [wanted: Wanted, head: string, body?: string, version?: string];

const LENGTH = 'Content-Length: 0\r\n';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
const END = '0\r\n\r\n';
/** Values of the two fields, split at a bar. */
const CODINGS =
  ' xchunked| "chunked"| chunked;q=1| chunked,| identity, chunked| gzip, chunked| chunked, chunked| chunked, identity' +
  '| x||\x0bchunked| chunked\x0b| chunked\0| \xe7hunked| chunked\t';
const LENGTHS = '+0|-0|0x0|0 0|0, 0|0;|0.0|1e0|0\x0b||18446744073709551616|\xb2';
/** Bodies, with ⏎ for CRLF. */
const CHUNKS =
  '0 ⏎⏎|0\t⏎⏎|0x0⏎⏎|+0⏎⏎|-0⏎⏎|0\n\n|0⏎\n|0;a\n⏎⏎|0;\0⏎⏎|1⏎xx⏎0⏎⏎|1\nx\n0\n\n' +
  '|;⏎⏎|⏎⏎|10000000000000000⏎|0⏎Content-Length: 5⏎⏎';

/**
 * Requests whose end two servers may find at different bytes (RFC 9112 §11.2 and later research): what follows the first lines of the
 * head, and the body, up to the request that would be smuggled.
 */
const VECTORS: readonly Vector[] = [
  // CL.TE, TE.CL, CL.0, and TE.TE in both orders.
  ['refused', `Content-Length: 5\r\n${TE}`, END],
  ['refused', TE + LENGTH, END],
  ['refused', `${LENGTH}Content-Length: 5\r\n`],
  ['refused', LENGTH + LENGTH],
  ['refused', TE + TE, END],
  ['refused', `Transfer-Encoding: identity\r\n${TE}`, END],
  ['refused', `${TE}Transfer-Encoding: x\r\n`, END],
  ['refused', TE, END, '1.0'],
  ['refused', 'Transfer-Encoding : chunked\r\n', END],
  ['refused', 'Transfer-Encoding:\r\n chunked\r\n', END],
  ['refused', `X: y\r${TE}`, END],
  ['refused', `X: y\n${TE}`, END],
  ['refused', 'Transfer-Encoding: chunked\n', END],
  ...CODINGS.split('|').map((value): Vector => ['refused', `Transfer-Encoding:${value}\r\n`, END]),
  ...LENGTHS.split('|').map((value): Vector => ['refused', `Content-Length: ${value}\r\n`]),
  ...CHUNKS.split('|').map((body): Vector => ['refused', TE, body.replaceAll('⏎', '\r\n')]),
  ['refused', 'X: y\r\n z\r\n'],
  ['refused', 'Host: other.test\r\n'],
  ['refused', '', '', '2.0'],
  ['refused', '', '', '0.9'],
  ['refused or one', UPGRADE],
  ['refused or one', `${UPGRADE}Content-Length: 1\r\n`, 'x'],
  ['refused or one', 'Connection: close\r\n'],
  ['both', TE, '0;a="b c"\r\n\r\n'],
  ['both', TE, '0\r\nX: y\r\n\r\n'],
  ['both', TE, '00000\r\n\r\n'],
  ['both', ''],
];

const ABSENT = `site_${'z'.repeat(20)}`;

/**
 * Sends each vector as a request for a site that does not exist, and behind it the request to be smuggled, which starts a run. Sends both
 * at once, and cut at every `step`-th byte of the ambiguous part.
 */
export async function playSmuggling(house: House, step = 1): Promise<string[]> {
  const { accountId, good } = await house.addMember();
  const faults: string[] = [];
  for (const [wanted, head, body = '', version = '1.1'] of VECTORS) {
    const about = JSON.stringify([head, body, version]);
    // Two valid requests are both answered; the second one starts no run on an unverified site.
    const siteId = await house.addSite(accountId, wanted !== 'both');
    const fields = `Host: readiness.test\r\nAuthorization: Bearer ${good}\r\n`;
    const [method, end] = body === '' ? ['GET', '/1'] : ['POST', ''];
    const first = `${method} /api/v1/sites/${ABSENT}/runs${end} HTTP/${version}\r\n${fields}${head}\r\n${body}`;
    const text = Buffer.from(`${first}POST /api/v1/sites/${siteId}/runs HTTP/1.1\r\n${fields}\r\n`, 'latin1');
    const from = first.indexOf('\r\n\r\n') - head.length;
    const cuts = Array.from({ length: Math.ceil((first.length - from) / step) + 1 }, (_, index) => from + index * step);
    const replies = await Promise.all(
      [0, ...cuts].map((at) => {
        const pieces = [text.subarray(0, at), text.subarray(at)].filter((piece) => piece.length > 0);
        return sendBytes(house.port, pieces, { count: 2, isOdd: wanted !== 'both' });
      }),
    );
    for (const { statuses, faults: malformed } of replies) {
      faults.push(...malformed.map((fault) => `${about}: ${fault}`));
      if (!isRight(wanted, statuses)) faults.push(`${about} got ${statuses.join(' and ')}`);
    }
    const runs = await house.runsOf(siteId);
    if (runs > 0) faults.push(`${about} started ${runs} runs`);
  }
  return faults;
}

function isRight(wanted: Wanted, statuses: readonly number[]): boolean {
  // A client that gets no answer ends the connection, and may get none then.
  const [first = 400] = statuses;
  if (wanted === 'both') return statuses.length === 2 && statuses[1] === 409;
  if (wanted === 'refused') return (first === 400 || first === 413) && statuses.length <= 1;
  return statuses.length <= 1 || (statuses.length === 2 && statuses[1] === 400);
}
