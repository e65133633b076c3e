import type { House } from './house.js';
import { sendBytes } from './wire.js';

/** Answers that bytes which two servers may read differently can have: how many, with which statuses. */
type Wanted = 'refused' | 'refused or one' | 'both';

interface Vector {
  readonly about: string;
  /** What stands behind the head's first lines, up to the request that would be smuggled. */
  readonly head: string;
  readonly version?: string;
  readonly body: string;
  readonly wanted: Wanted;
}

const chunked = 'Transfer-Encoding: chunked\r\n';
const END = '0\r\n\r\n';

const coding = (value: string): Vector => ({
  ...{ about: `Transfer-Encoding:${value}`, head: `Transfer-Encoding:${value}\r\n`, body: END, wanted: 'refused' },
});
const length = (value: string): Vector => ({
  ...{ about: `Content-Length: ${value}`, head: `Content-Length: ${value}\r\n`, body: '', wanted: 'refused' },
});
const chunk = (body: string, wanted: Wanted = 'refused'): Vector => ({
  about: `chunk ${body}`,
  head: chunked,
  body,
  wanted,
});

/** Ways in which one server's end of a request is another's middle (RFC 9112 §11.2, and the research that came after). */
const VECTORS: readonly Vector[] = [
  { about: 'CL.TE', head: `Content-Length: 5\r\n${chunked}`, body: END, wanted: 'refused' },
  { about: 'TE.CL', head: `${chunked}Content-Length: 0\r\n`, body: END, wanted: 'refused' },
  { about: 'CL.0', head: 'Content-Length: 0\r\nContent-Length: 5\r\n', body: '', wanted: 'refused' },
  { about: 'two equal lengths', head: 'Content-Length: 0\r\nContent-Length: 0\r\n', body: '', wanted: 'refused' },
  { about: 'TE of HTTP/1.0', version: '1.0', head: chunked, body: END, wanted: 'refused' },
  { about: 'TE twice', head: `${chunked}${chunked}`, body: END, wanted: 'refused' },
  { about: 'TE.TE', head: `Transfer-Encoding: identity\r\n${chunked}`, body: END, wanted: 'refused' },
  { about: 'TE.TE turned round', head: `${chunked}Transfer-Encoding: x\r\n`, body: END, wanted: 'refused' },
  { about: 'TE with a space', head: 'Transfer-Encoding : chunked\r\n', body: END, wanted: 'refused' },
  { about: 'TE on a folded line', head: 'Transfer-Encoding:\r\n chunked\r\n', body: END, wanted: 'refused' },
  { about: 'TE behind a bare CR', head: `X: y\r${chunked}`, body: END, wanted: 'refused' },
  { about: 'TE behind a bare LF', head: `X: y\n${chunked}`, body: END, wanted: 'refused' },
  { about: 'TE that ends in LF', head: 'Transfer-Encoding: chunked\n', body: END, wanted: 'refused' },
  ...[
    ' xchunked',
    ' "chunked"',
    ' chunked;q=1',
    ' chunked,',
    ' identity, chunked',
    ' gzip, chunked',
    ' chunked, chunked',
  ].map(coding),
  ...[' chunked, identity', ' x', '', '\x0bchunked', ' chunked\x0b', ' chunked\0', ' \xe7hunked', ' chunked\t'].map(
    coding,
  ),
  ...['+0', '-0', '0x0', '0 0', '0, 0', '0;', '0.0', '1e0', '0\x0b', '', '18446744073709551616', '\xb2'].map(length),
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
  ].map((body) => chunk(body)),
  ...[
    '1\r\nxx\r\n0\r\n\r\n',
    '1\nx\n0\n\n',
    ';\r\n\r\n',
    '\r\n\r\n',
    '10000000000000000\r\n',
    '0\r\nContent-Length: 5\r\n\r\n',
  ].map((body) => chunk(body)),
  { about: 'a folded line', head: 'X: y\r\n z\r\n', body: '', wanted: 'refused' },
  { about: 'two hosts', head: 'Host: other.test\r\n', body: '', wanted: 'refused' },
  { about: 'another version', version: '2.0', head: '', body: '', wanted: 'refused' },
  { about: 'an old version', version: '0.9', head: '', body: '', wanted: 'refused' },
  { about: 'an upgrade', head: 'Connection: Upgrade\r\nUpgrade: h2c\r\n', body: '', wanted: 'refused or one' },
  {
    about: 'an upgrade with a body',
    head: 'Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 1\r\n',
    body: 'x',
    wanted: 'refused or one',
  },
  { about: 'the end of the connection', head: 'Connection: close\r\n', body: '', wanted: 'refused or one' },
  chunk(`0;a="b c"\r\n\r\n`, 'both'),
  chunk('0\r\nX: y\r\n\r\n', 'both'),
  chunk('00000\r\n\r\n', 'both'),
  { about: 'a plain request', head: '', body: '', wanted: 'both' },
];

const ABSENT = `site_${'z'.repeat(20)}`;

/**
 * Sends each vector on a request for nothing, with the start of a run right behind it as what would be smuggled; whole, and cut at each byte of what
 * is ambiguous. @returns how many connections it took, and where anything got through that should not
 */
export async function playSmuggling(house: House, step = 1): Promise<{ connections: number; faults: string[] }> {
  const { accountId, good } = await house.addMember();
  const faults: string[] = [];
  let connections = 0;
  for (const vector of VECTORS) {
    // A plain request behind another is to be heeded: it starts nothing on a site that is not verified.
    const siteId = await house.addSite(accountId, vector.wanted !== 'both');
    const start = (method: string, site: string, more: string, version = '1.1') =>
      `${method} /api/v1/sites/${site}/runs${method === 'GET' ? '/1' : ''} HTTP/${version}\r\nHost: readiness.test\r\n` +
      `Authorization: Bearer ${good}\r\n${more}\r\n`;
    const first = start(vector.body === '' ? 'GET' : 'POST', ABSENT, vector.head, vector.version) + vector.body;
    const text = Buffer.from(first + start('POST', siteId, ''), 'latin1');
    const from = first.indexOf('\r\n\r\n') - vector.head.length;
    const cuts = Array.from({ length: Math.ceil((first.length - from) / step) + 1 }, (_, index) => from + index * step);
    const replies = await Promise.all(
      [0, ...cuts].map((at) => {
        const pieces = [text.subarray(0, at), text.subarray(at)].filter((piece) => piece.length > 0);
        return sendBytes(house.port, pieces, { methods: ['GET', 'POST'], isOdd: vector.wanted !== 'both' });
      }),
    );
    connections += replies.length;
    for (const { answers, faults: malformed } of replies) {
      const statuses = answers.map(({ status }) => status);
      const told = `${JSON.stringify(vector.about)} got ${statuses.join(' and ')}`;
      faults.push(...malformed.map((fault) => `${JSON.stringify(vector.about)}: ${fault}`));
      if (!isRight(vector.wanted, statuses)) faults.push(told);
    }
    await house.settle();
    const runs = await house.runsOf(siteId);
    if (runs > 0) faults.push(`${JSON.stringify(vector.about)} started ${runs} runs`);
  }
  return { connections, faults };
}

function isRight(wanted: Wanted, statuses: readonly number[]): boolean {
  // Whoever is not answered at once ends the connection, and may get nothing then.
  const [first = 400] = statuses;
  if (wanted === 'both') return statuses.length === 2 && statuses[1] === 409;
  const isRefused = first === 400 || first === 413;
  if (wanted === 'refused') return isRefused && statuses.length <= 1;
  return statuses.length <= 1 || (statuses.length === 2 && statuses[1] === 400);
}
