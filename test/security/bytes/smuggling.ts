import type { House } from './house.js';
import { sendBytes } from './wire.js';

/** How many of the two requests may be answered. */
type Wanted = 'refused' | 'refused or one' | 'both';

type Vector = readonly [wanted: Wanted, head: string, body?: string, version?: string];

const TE = 'Transfer-Encoding: chunked\r\n';
const LENGTH = 'Content-Length: 0\r\n';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
const END = '0\r\n\r\n';
const CODINGS = [
  ...[
    ' xchunked',
    ' "chunked"',
    ' chunked;q=1',
    ' chunked,',
    ' identity, chunked',
    ' gzip, chunked',
    ' chunked, chunked',
  ],
  ...[' chunked, identity', ' x', '', '\x0bchunked', ' chunked\x0b', ' chunked\0', ' \xe7hunked', ' chunked\t'],
];
const LENGTHS = ['+0', '-0', '0x0', '0 0', '0, 0', '0;', '0.0', '1e0', '0\x0b', '', '18446744073709551616', '\xb2'];
const CHUNKS = [
  ...[
    '0 \r\n\r\n',
    '0\t\r\n\r\n',
    '0x0\r\n\r\n',
    '+0\r\n\r\n',
    '-0\r\n\r\n',
    '0\n\n',
    '0\r\n\n',
    '0;a\n\r\n\r\n',
    '0;\0\r\n\r\n',
  ],
  ...[
    '1\r\nxx\r\n0\r\n\r\n',
    '1\nx\n0\n\n',
    ';\r\n\r\n',
    '\r\n\r\n',
    '10000000000000000\r\n',
    '0\r\nContent-Length: 5\r\n\r\n',
  ],
];

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
  ...CODINGS.map((value): Vector => ['refused', `Transfer-Encoding:${value}\r\n`, END]),
  ...LENGTHS.map((value): Vector => ['refused', `Content-Length: ${value}\r\n`]),
  ...CHUNKS.map((body): Vector => ['refused', TE, body]),
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
  for (const [wanted, head, body = '', version] of VECTORS) {
    const about = JSON.stringify([head, body, version]);
    // Two valid requests are both answered; the second one starts no run on an unverified site.
    const siteId = await house.addSite(accountId, wanted !== 'both');
    const start = (method: string, site: string, more: string, version = '1.1') =>
      `${method} /api/v1/sites/${site}/runs${method === 'GET' ? '/1' : ''} HTTP/${version}\r\nHost: readiness.test\r\n` +
      `Authorization: Bearer ${good}\r\n${more}\r\n`;
    const first = start(body === '' ? 'GET' : 'POST', ABSENT, head, version) + body;
    const text = Buffer.from(first + start('POST', siteId, ''), 'latin1');
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
  const isRefused = first === 400 || first === 413;
  if (wanted === 'refused') return isRefused && statuses.length <= 1;
  return statuses.length <= 1 || (statuses.length === 2 && statuses[1] === 400);
}
