import type { House } from './house.js';
import { sendBytes } from './wire.js';

const API = 'HTTP/1.1\r\nHost: readiness.test\r\nAuthorization: Bearer {good}\r\n';
const form = (path: string, cookie: string, fields: string) =>
  `POST ${path} HTTP/1.1\r\nHost: readiness.test\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
  `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${fields.length}\r\n\r\n${fields}`;
const RPC =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_check","arguments":{"checkId":"C-LLMS-01"}}}';

/** One valid request to each part of the service, with its status. None changes the status of another. */
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
 * Cuts each request at every `step`-th byte. The rest follows later, or never: the client ends or resets the connection. A request that
 * arrives whole gets its usual answer, and an incomplete one at most a refusal.
 */
export async function playCuts(house: House, step = 1): Promise<string[]> {
  const member: Readonly<Record<string, string>> = await house.addMember();
  const faults: string[] = [];
  const cut = async (text: string, bytes: Buffer, at: number, status: number): Promise<void> => {
    const about = `${text.slice(0, 30)} cut at ${at}`;
    const [start, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
    const whole = await sendBytes(house.port, [start, rest], { count: 1 });
    const ended = await sendBytes(house.port, [start], { count: 1, then: 'end' });
    const broken = await sendBytes(house.port, [start], { count: 1, then: 'break' });
    faults.push(...[whole, ended, broken].flatMap((reply) => reply.faults.map((fault) => `${about}: ${fault}`)));
    if (String(whole.statuses) !== String(status)) faults.push(`${about}: ${String(whole.statuses)}, not ${status}`);
    const isRefused = ended.statuses.every((seen) => [400, 408, status].includes(seen));
    if (!isRefused || ended.statuses.length > 1) faults.push(`${about} and ended: ${String(ended.statuses)}`);
  };
  const jobs = REQUESTS.flatMap(([text, status]) => {
    const filled = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => member[name] ?? whole);
    const bytes = Buffer.from(filled, 'latin1');
    const count = Math.floor((bytes.length - 1) / step);
    return Array.from({ length: count }, (_, index) => () => cut(text, bytes, 1 + index * step, status));
  }).values();
  const work = async (): Promise<void> => {
    for (const job of jobs) await job();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults;
}
