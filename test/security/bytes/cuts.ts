import type { House } from './house.js';
import { sendBytes } from './wire.js';

const API = 'HTTP/1.1\r\nHost: readiness.test\r\nAuthorization: Bearer {good}\r\n';
const form = (path: string, cookie: string, fields: string) =>
  `POST ${path} HTTP/1.1\r\nHost: readiness.test\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
  `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${fields.length}\r\n\r\n${fields}`;
const RPC =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_check","arguments":{"checkId":"C-LLMS-01"}}}';

/** A sound request to each room, each with the status that it gets however it arrives: none changes what the next one gets. */
const REQUESTS: readonly (readonly [text: string, status: number])[] = [
  [`GET /api/v1/sites/{own}/runs/1 ${API}\r\n`, 200],
  [`POST /api/v1/sites/{unverified}/runs ${API}Content-Length: 7\r\n\r\n{"a":1}`, 409],
  [
    `POST /api/v1/sites/{unverified}/runs ${API}Transfer-Encoding: chunked\r\n\r\n3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nX: y\r\n\r\n`,
    409,
  ],
  [form('/keys', '__Host-session={cookie}', 'name=&x=%C3%A9'), 422],
  [
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${RPC.length}\r\n\r\n${RPC}`,
    200,
  ],
  ['POST /hooks/deploy/{hook}?wait=x HTTP/1.1\r\nHost: readiness.test\r\nContent-Length: 3\r\n\r\nabc', 400],
  ['GET /metrics HTTP/1.1\r\nHost: readiness.test\r\nAuthorization: Bearer {metrics}\r\n\r\n', 200],
];

/** How many connections are open at a time. */
const AT_ONCE = 24;

/**
 * Cuts each request at each byte: its rest comes later, or never since the client has ended or broken the connection. What came whole
 * is answered as ever; of what did not come whole, the most there is is a refusal.
 */
export async function playCuts(house: House, step = 1): Promise<{ connections: number; faults: string[] }> {
  const member: Readonly<Record<string, string>> = await house.addMember();
  const jobs = REQUESTS.flatMap(([text, status]) => {
    const bytes = Buffer.from(
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => member[name] ?? whole),
      'latin1',
    );
    const method = text.slice(0, text.indexOf(' '));
    const cuts = Array.from({ length: Math.floor((bytes.length - 1) / step) }, (_, index) => 1 + index * step);
    return cuts.flatMap((at) => [
      async () => {
        const { answers, faults } = await sendBytes(house.port, [bytes.subarray(0, at), bytes.subarray(at)], {
          methods: [method],
          isOdd: false,
        });
        const statuses = answers.map((answer) => answer.status);
        return statuses.length === 1 && statuses[0] === status
          ? faults
          : [...faults, `${method} in two pieces at ${at}: ${statuses.join(' ')}, not ${status}`];
      },
      async () => {
        const { answers, faults } = await sendBytes(house.port, [bytes.subarray(0, at)], {
          methods: [method],
          isOdd: false,
          then: 'end',
        });
        const isRefused = answers.every((answer) => [400, 408].includes(answer.status) || answer.status === status);
        return isRefused && answers.length <= 1
          ? faults
          : [...faults, `${method} that ends at ${at}: ${answers.map((answer) => answer.status).join(' ')}`];
      },
      async () =>
        (await sendBytes(house.port, [bytes.subarray(0, at)], { methods: [method], isOdd: false, then: 'break' }))
          .faults,
    ]);
  });
  const faults: string[] = [];
  const turn = jobs.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const job of turn) faults.push(...(await job()));
    }),
  );
  return { connections: jobs.length, faults };
}
