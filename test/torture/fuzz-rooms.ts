import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { METHODS, ODD_METHODS, ODD_NUMBERS, ODD_SITES, PATH_BENDS, PLAIN_LINES, QUERIES } from './fuzz-material.js';
import { pathOf, roomOf } from './fuzz-model.js';
import { count, type Tally } from './fuzz-oracle.js';
import { roomFaults } from './fuzz-room-oracle.js';
import { mostly, unicode } from './fuzz-requests.js';
import { fill, type Scene } from './fuzz-scene.js';
import { sendBytes } from './fuzz-wire.js';
import type { World } from './fuzz-world.js';

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** What can be read. `{x}` stands for anything, other names for things that are there. */
const READS =
  wordsOf(`/ /sites /sites/new /sites/{own} /sites/{own}/verify /sites/{own}/remove /sites/{own}/runs /sites/{own}/automation
  /sites/{own}/runs/1 /sites/{own}/runs/1.csv /sites/{own}/runs/2.json /sites/{own}/compare?from=1&to=2 /sites/{own}/runs?before=2
  /account /account/delete /account/activity /account/activity?before={x} /keys /keys/{key}/revoke /alerts /alerts/webhooks/{webhook} /alerts/webhooks/{webhook}/remove
  /sign-in /sign-in?next=/sites /sign-in/{link} /sign-up /forgot-password /scan /scan/example.com /checks /checks/C-LLMS-01 /api /docs /status /privacy /about
  /badges/{badge}.svg /reports/{report} /reports/{report}/markdown
  /reports/{x} /scan/{x}/markdown /hooks/deploy/{hook} /metrics /llms.txt /llms-full.txt /robots.txt /sitemap.xml /.well-known/security.txt
  /.well-known/api-catalog /.well-known/ard.json /.well-known/mcp.json /mcp/server-card /assets/style.css /assets/app.js /index.md
  /favicon.ico /mcp /.env /.git/config /wp-login.php
  /sites/{x} /sites/{x}/runs /sites/{x}/verify /sites/{x}/progress /sites/{own}/runs/{x} /sites/{own}/runs/{x}.csv /sites/{own}/runs/{x}.json
  /sites/{own}/runs?before={x} /sites/{own}/compare?from={x}&to={x} /sites/{own}/compare?from={x}&to=1 /sites/{own}/compare?from=1&to={x}
  /sites/{foreign} /sites/{foreign}/runs/1 /sites/{unverified} /sites?page={x} /sites?notice={x} /keys?revoked={x} /keys/{x}/revoke
  /alerts?notice={x} /alerts/webhooks/{x} /alerts/webhooks/{x}/remove /alerts/webhooks/{webhook}?before={x} /sign-in/{x} /sign-in/{x}?for={x} /sign-up/{x} /sign-up?done={x} /sign-in?next={x}
  /scan/{x} /scan/{x}/progress /checks/{x} /badges/{x}.svg /badges/{x} /hooks/deploy/{x} /hooks/{x} /assets/{x} /.well-known/{x} /mcp/{x}
  /metrics/{x} /{x} /{x}/{x} /account?done={x}`);

/** Every form: where it goes, and its fields. */
const FORMS: readonly (readonly [path: string, ...fields: string[]])[] = wordsOf(`/sites,site /keys,name /scan,site
  /sign-in,email,password,next /sign-in/{link},password /sign-in/{x},password /sign-up,email /sign-up/{x},password /forgot-password,email /account/sign-out-others /sites/{own}/runs /sites/{own}/verify
  /sites/{own}/automation/schedule,frequency /sites/{own}/automation/hook /sites/{own}/automation/hook/remove /sites/{own}/automation/badge
  /sites/{own}/automation/badge/remove /sites/{own}/sharing,number /sites/{own}/sharing/remove,number /sites/{x}/sharing,number /scan/{x}/share /sites/{own}/remove,name /sites/{own}/checks/{x} /sites/{own}/accepted/{x}/{x},reason
  /sites/{own}/accepted/C-MD-01/MISSING,reason /sites/{own}/accepted/{x}/MISSING/remove /alerts/email,alerts /alerts/digest,digest /alerts/webhooks,url,format,site /alerts/webhooks/{webhook}/site,site /alerts/webhooks/{webhook}/test
  /alerts/webhooks/{webhook}/enable /alerts/webhooks/{webhook}/secret /alerts/webhooks/{webhook}/remove,name
  /alerts/webhooks/{webhook}/deliveries/{delivery}/send-again /alerts/webhooks/{webhook}/deliveries/{x}/send-again
  /alerts/webhooks/{x}/test /alerts/webhooks/{x}/secret /account/password,current,password /account/delete,email,current /account/export
  /keys/{key}/revoke,name /keys/{x}/revoke,name /sites/{x}/runs /sites/{x}/verify /sites/{x}/remove,name /sites/{x}/automation/hook
  /sites/{x}/automation/schedule,frequency /sites/{foreign}/runs /sign-out /account/sign-out-everywhere /account/sessions/{x}/sign-out
  /hooks/deploy/{hook} /hooks/deploy/{hook}?wait={x} /hooks/deploy/{x}`).map((line) => {
  const [path = '', ...fields] = line.split(',');
  return [path, ...fields];
});

const VALUES = [
  ...wordsOf(`a 1 on DAILY WEEKLY OFF example.com https://example.com/ http://127.0.0.1/ fuzz a@b.co {password} /sites //evil.test \\evil
    javascript:alert(1) <script>alert(1)</script> {{7*7}} \${7*7} %00 a%00b.com %0d%0aSet-Cookie:%20x=y ../../etc/passwd xn--a
    http://a:b@c.com http://x.internal/ [::1] 99999999999 1e999 ' OR`),
  ...[
    '',
    ' ',
    '\u0000',
    '\ud7ff\uffff',
    '\u202e\u0000',
    'é'.repeat(300),
    'x'.repeat(5_000),
    '.'.repeat(254),
    'a.'.repeat(200),
  ],
];

const COOKIES = [
  ...[
    '__Host-session={cookie}',
    'session={cookie}',
    '__Host-session={cookie}; __Host-session=x',
    '__Host-session="{cookie}"',
  ],
  ...[
    '__Host-session=',
    '__Host-session=%00',
    '__Host-session=\xff',
    '=;=;;',
    `a=${'b'.repeat(9_000)}`,
    '__proto__=1; __Host-session=x',
  ],
];

/** What a browser says of where a form comes from; only the first three are forms of ours. */
const ORIGINS = [
  ...(['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: none', 'Origin: https://readiness.test'] as const),
  ...([
    '',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-site',
    'Sec-Fetch-Site: same-origin, cross-site',
  ] as const),
  ...([
    'Origin: https://evil.test',
    'Origin: null',
    'Origin: https://readiness.test.evil.test',
    'Sec-Fetch-Site: \xff',
  ] as const),
];
const OWN_ORIGINS = 3;

/** A body with the lines of the head that tell of it. */
interface RoomBody {
  readonly lines: readonly string[];
  readonly bytes: Buffer;
}
interface RoomRequest {
  readonly method: string;
  readonly target: string;
  readonly lines: readonly string[];
  readonly body: RoomBody | null;
  /** Whether it is a form of one of our own pages; null: it need not be. */
  readonly isOwn: boolean | null;
  readonly isOdd: boolean;
}

const anything = fc.oneof(
  fc.constantFrom(...[...ODD_SITES, ...ODD_NUMBERS].filter((text) => /^[!-~]*$/.test(text))),
  unicode.map(encodeURIComponent),
  fc.integer().map(String),
);
const at = (path: string) => anything.map((x) => path.replaceAll('{x}', () => x));
const bend = mostly(
  14,
  fc.constant((path: string) => path),
  fc.constantFrom(...PATH_BENDS),
);
const query = mostly(8, fc.constant(''), fc.constantFrom(...QUERIES));
const cookie = mostly(3, fc.constant('__Host-session={cookie}'), fc.constant(''), fc.constantFrom(...COOKIES));
const accept = fc.constantFrom('text/html', 'text/html', 'application/json', 'text/markdown', '*/*;q=0', 'x', '');
const moreLines = fc.array(fc.constantFrom(...PLAIN_LINES), { maxLength: 2 });

const read: fc.Arbitrary<RoomRequest> = fc
  .record({
    target: fc.constantFrom(...READS).chain(at),
    method: mostly(
      9,
      fc.constant('GET'),
      fc.constant('HEAD'),
      fc.constantFrom(...METHODS),
      fc.constantFrom(...ODD_METHODS),
    ),
    ...{ bend, query, cookie, accept, moreLines },
    token: fc.constantFrom('', 'Authorization: Bearer {metrics}', 'Authorization: Bearer {good}', 'Authorization: x'),
  })
  .map(({ target, bend, query, method, cookie, accept, moreLines, token }) => {
    const bent = bend(target) + query;
    const lines = [`Accept: ${accept}`, ...(cookie === '' ? [] : [`Cookie: ${cookie}`]), token, ...moreLines];
    const isOdd =
      !METHODS.includes(method) || method === 'CONNECT' || !/^\/[\x21-\x7e]*$/.test(bent) || bent.length > 5_000;
    return { method, target: bent, lines, body: null, isOwn: null, isOdd };
  });

const FORM_TYPES = [
  ...[
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=utf-8',
    'APPLICATION/X-WWW-FORM-URLENCODED',
  ],
  ...[
    'application/x-www-form-urlencoded; charset=utf-99',
    'application/x-www-form-urlencoded; charset=utf-16',
    'application/json',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'text/plain',
    'x',
    '',
    'application/x-www-form-urlencoded; charset="',
    'application/csp-report',
  ],
];
/** How fields become a body, alongside the usual way. */
const FORMS_OF_FIELDS: readonly ((pairs: readonly (readonly [string, string])[], usual: string) => string)[] = [
  (pairs) => pairs.map(([name, value]) => `${name}[]=${encodeURIComponent(value)}&${name}[]=2`).join('&'),
  (pairs) =>
    pairs.map(([name, value]) => `${name}[__proto__][x]=1&${name}[a][b]=${encodeURIComponent(value)}`).join('&'),
  (_pairs, usual) => `__proto__[x]=1&constructor[prototype][y]=2&hasOwnProperty=1&${usual}`,
  (_pairs, usual) => `${usual}&${usual}&${usual}`,
  (_pairs, usual) => `${'x=1&'.repeat(3_000)}${usual}`,
  (_pairs, usual) => `${usual}&y=${'z'.repeat(70_000)}`,
  (_pairs, usual) => `x${'[y]'.repeat(5_000)}=1&${usual}`,
  (pairs) => pairs.map(([name]) => `${name}=%zz%ff%c0%80%`).join('&'),
  (pairs) => JSON.stringify(Object.fromEntries(pairs)),
  (pairs) => `--x\r\nContent-Disposition: form-data; name="${pairs[0]?.[0] ?? ''}"\r\n\r\ny\r\n--x--\r\n`,
  () => '&&&===&=&',
  () => '',
];
const CODINGS = ['', '', '', '', '', 'gzip', 'broken gzip', 'bomb', 'br', 'x'] as const;

const form: fc.Arbitrary<RoomRequest> = fc
  .constantFrom(...FORMS)
  .chain(([path, ...fields]) =>
    fc.record({
      target: at(path),
      values: fc.tuple(...fields.map(() => fc.oneof(fc.constantFrom(...VALUES), unicode))),
      fields: fc.constant(fields),
      shape: mostly(5, fc.constant(null), fc.constantFrom(...FORMS_OF_FIELDS)),
      type: mostly(6, fc.constant(FORM_TYPES[0] ?? ''), fc.constantFrom(...FORM_TYPES)),
      coding: fc.constantFrom(...CODINGS),
      origin: mostly(5, fc.nat({ max: OWN_ORIGINS - 1 }), fc.nat({ max: ORIGINS.length - 1 })),
      isChunked: fc.boolean(),
      ...{ cookie, accept, moreLines },
    }),
  )
  .map(({ target, values, fields, shape, type, coding, origin, isChunked, cookie, accept, moreLines }) => {
    const pairs = fields.map((name, index): [string, string] => [name, values[index] ?? '']);
    const usual = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
    const content = Buffer.from(shape ? shape(pairs, usual) : usual);
    const originLine = ORIGINS[origin] ?? '';
    const others = moreLines.filter((line) => !/^(?:content-|origin|host)/i.test(line));
    const isOwn = origin < OWN_ORIGINS;
    return {
      ...{ method: 'POST', target, isOwn, isOdd: !/^\/[\x21-\x7e]*$/.test(target) || target.length > 5_000 },
      lines: [`Accept: ${accept}`, ...(cookie === '' ? [] : [`Cookie: ${cookie}`]), originLine, ...others],
      body: frame(encode(content, coding), [`Content-Type: ${type}`, codingLine(coding)], isChunked),
    };
  });

function encode(content: Buffer, coding: (typeof CODINGS)[number]): Buffer {
  if (coding === 'gzip') return gzipSync(content);
  if (coding === 'broken gzip') return gzipSync(content).subarray(0, -5);
  return coding === 'bomb' ? gzipSync(Buffer.alloc(2_000_000, 'a=b&')) : content;
}

function codingLine(coding: (typeof CODINGS)[number]): string {
  if (coding === '') return '';
  return `Content-Encoding: ${coding === 'bomb' || coding === 'broken gzip' ? 'gzip' : coding}`;
}

function frame(bytes: Buffer, lines: readonly string[], isChunked: boolean): RoomBody {
  if (!isChunked) return { bytes, lines: [...lines, `Content-Length: ${bytes.length}`] };
  const chunk = bytes.length === 0 ? [] : [Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')];
  return {
    bytes: Buffer.concat([...chunk, Buffer.from('0\r\n\r\n')]),
    lines: [...lines, 'Transfer-Encoding: chunked'],
  };
}

const RPC_METHODS =
  wordsOf(`tools/call tools/call tools/call tools/list ping initialize server/discover resources/list prompts/get
  notifications/initialized notifications/cancelled logging/setLevel subscriptions/listen completion/complete __proto__ x`);
const rpcId = fc.oneof(
  fc.constantFrom<unknown>(1, 0, -1, 'a', '', null, 1.5, true, [], {}, 2 ** 60, '\u0000', '__proto__', 'x'.repeat(500)),
  fc.integer(),
);
const rpcValue = fc.oneof(
  fc.constantFrom<unknown>(
    ...['C-LLMS-01', 'example.com', '', null, 5, [], {}, true, '\u0000', '__proto__', 'x'.repeat(3_000)],
  ),
  fc.jsonValue({ maxDepth: 4 }),
);
const rpcParams = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      name: fc.constantFrom<unknown>('explain_check', 'explain_check', 'scan_site', 'x', '__proto__', 5, null),
      arguments: fc.oneof(fc.record({ checkId: rpcValue, url: rpcValue }), rpcValue),
      _meta: fc.constantFrom<unknown>({}, { progressToken: 1 }, { progressToken: {} }, null, { __proto__: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      protocolVersion: '2025-06-18',
      clientInfo: { name: 'x', version: '1' },
      capabilities: {},
    }),
  },
  { weight: 1, arbitrary: rpcValue },
);
const rpcMessage = fc.record(
  {
    jsonrpc: fc.constantFrom<unknown>('2.0', '2.0', '2.0', '2.0', '1.0', 2, null),
    id: rpcId,
    method: fc.constantFrom<unknown>(...RPC_METHODS, 5),
    params: rpcParams,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const nested = (open: string, close: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${open.repeat(8_000)}1${close.repeat(8_000)}}`;
const rpcText = fc.oneof(
  { weight: 8, arbitrary: rpcMessage.map((message) => JSON.stringify(message)) },
  { weight: 2, arbitrary: fc.array(rpcMessage, { maxLength: 5 }).map((messages) => JSON.stringify(messages)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '[',
      '{}',
      'null',
      '1',
      '"a"',
      '[[]]',
      '\ufeff{}',
      '{"__proto__":{}}',
      nested('[', ']'),
      nested('{"a":', '}'),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      `["${'x'.repeat(70_000)}"]`,
      '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
    ),
  },
  { weight: 1, arbitrary: rpcMessage.map((message) => JSON.stringify(message).slice(0, -3)) },
);
const RPC_LINES = [
  'MCP-Protocol-Version: 2025-06-18',
  'MCP-Protocol-Version: 2026-07-28',
  'MCP-Protocol-Version: 1',
  'MCP-Protocol-Version: \xff',
  'Mcp-Session-Id: x',
  'Mcp-Method: tools/call',
  'Mcp-Name: explain_check',
  'Origin: https://evil.test',
  'Origin: https://readiness.test',
  'Last-Event-ID: 1',
  'X-Caller: 1.2.3.4',
  'Mcp-Param-X: =?base64?x?=',
];
const call: fc.Arbitrary<RoomRequest> = fc
  .record({
    text: rpcText,
    type: mostly(
      9,
      fc.constant('application/json'),
      fc.constantFrom('application/json; charset=utf-16', 'text/plain', '', 'x'),
    ),
    accept: mostly(
      9,
      fc.constant('application/json, text/event-stream'),
      fc.constantFrom('application/json', 'x', '*/*'),
    ),
    method: mostly(12, fc.constant('POST'), fc.constantFrom('GET', 'DELETE', 'OPTIONS', 'HEAD', 'PUT')),
    lines: mostly(2, fc.constant<readonly string[]>([]), fc.array(fc.constantFrom(...RPC_LINES), { maxLength: 3 })),
    address: fc.nat({ max: 255 }),
    isChunked: fc.boolean(),
  })
  .map(({ text, type, accept, method, lines, address, isChunked }) => ({
    ...{ method, target: '/mcp', isOwn: null, isOdd: false },
    lines: [`Accept: ${accept}`, `X-Forwarded-For: 192.0.2.${address}`, ...lines],
    body: frame(Buffer.from(text), [`Content-Type: ${type}`], isChunked),
  }));

/** A request to any of the front rooms. */
export const roomRequest: fc.Arbitrary<RoomRequest> = fc.oneof(read, form, call);

/** @returns what was wrong with the answer; empty when nothing was */
export async function askRoom(world: World, scene: Scene, request: RoomRequest, tally: Tally): Promise<string[]> {
  const { method, body, isOwn, isOdd } = request;
  const target = fill(request.target, scene);
  const lines: readonly string[] = [...request.lines, ...(body?.lines ?? [])]
    .filter((line) => line !== '')
    .map((line) => fill(line, scene));
  const head = [`${method} ${target} HTTP/1.1`, 'Host: readiness.test', ...lines].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body?.bytes ?? Buffer.alloc(0)]);
  const mayBeRefused = isOdd || head.length > 15_000 || method === 'CONNECT';
  const { answers, faults } = await sendBytes(world.port, [bytes], { methods: [method], isOdd: mayBeRefused });
  const [answer, ...others] = answers;
  const room = roomOf(pathOf(target));
  count(tally, `room ${room}`, answer);
  if (!answer) return mayBeRefused ? [...faults] : [...faults, 'there is no answer'];
  const isForged = isOwn === false && room === 'web' && !mayBeRefused && answer.status !== 403;
  return [
    ...faults,
    ...(others.length > 0 && !mayBeRefused ? ['there is an answer too many'] : []),
    ...(isForged ? [`a forged form got ${answer.status}`] : []),
    ...roomFaults(room, answer),
  ];
}
