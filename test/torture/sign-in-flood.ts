/**
 * `make torture TORTURE=sign-in-flood`: a flood of sign-ins against the built program: how much memory the hashing of passwords takes, what becomes of those who sign in, and
 * what others notice. Ends with 1 where more than two are hashed at once (by the memory that it takes), where anything but a refusal,
 * a wait or a sign-in is answered, or where nobody else is answered meanwhile.
 *
 * FLOOD_SIGN_INS says how many ask at once (300), each from an address and for an account of its own.
 */
import { readFileSync } from 'node:fs';
import { send } from '../support/http-client.js';
import { TEST_PASSWORD } from '../support/passwords.js';
import { openScope, quantileOf } from '../support/script.js';
import { startService } from '../support/service.js';

const SIGN_INS = Number(process.env.FLOOD_SIGN_INS ?? 300);

/** scrypt at N = 2^17 and r = 8. */
const HASHING_MIB = 128;
/** What else a flood may take: requests, answers, garbage that nobody has collected yet. */
const SLACK_MIB = 160;

const scope = openScope();
const service = await startService(scope, { environment: { TRUST_PROXY: '1' } });
const port = Number(new URL(service.baseUrl).port);
let isFine = false;
try {
  isFine = await flood();
} finally {
  await scope.end();
}
process.exitCode = isFine ? 0 : 1;

async function flood(): Promise<boolean> {
  await signIn(0);
  const quiet = await watchOthers(() => new Promise((resolve) => setTimeout(resolve, 2000)));
  const before = memoryMib('VmRSS');
  const answers: [status: number, ms: number][] = [];
  const crowded = await watchOthers(async () => {
    answers.push(...(await Promise.all(Array.from({ length: SIGN_INS }, (_, index) => signIn(index + 1)))));
  });
  const growth = memoryMib('VmHWM') - before;
  const counts = new Map<number, number>();
  for (const [status] of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const slowest = Math.max(...answers.map(([, ms]) => ms));
  const limit = 2 * HASHING_MIB + SLACK_MIB;
  const isBounded = growth < limit;
  const areRefused =
    [...counts.keys()].every((status) => [422, 429, 503].includes(status)) && (counts.get(422) ?? 0) > 0;
  const areAnswered = crowded.length >= 10;
  process.stdout.write(
    `${SIGN_INS} sign-ins at once: ${[...counts].map(([status, count]) => `${count} x ${status}`).join(', ')}; ` +
      `the slowest after ${(slowest / 1000).toFixed(1)} s\n` +
      `memory: ${before.toFixed(0)} MiB before, at most ${growth.toFixed(0)} MiB more (limit ${limit}; all at once would take ` +
      `${SIGN_INS * HASHING_MIB})\n` +
      `others, p50 and p99: ${percentiles(quiet)} when it is quiet, ${percentiles(crowded)} in the flood ` +
      `(${crowded.length} requests)\n${isBounded && areRefused && areAnswered ? 'As it must be.' : 'NOT as it must be.'}\n`,
  );
  return isBounded && areRefused && areAnswered;
}

async function signIn(index: number): Promise<[status: number, ms: number]> {
  const startedMs = performance.now();
  const body = new URLSearchParams({ email: `person${index}@example.com`, password: TEST_PASSWORD }).toString();
  const { status } = await send(port, '/sign-in', {
    method: 'POST',
    headers: {
      ...{ accept: 'text/html', 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' },
      'x-forwarded-for': `198.51.${100 + Math.floor(index / 250)}.${index % 250}`,
    },
    body,
  });
  return [status, performance.now() - startedMs];
}

/** What pages take that others ask for meanwhile, one after the other, in ms. */
async function watchOthers(meanwhile: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const done = meanwhile().finally(() => (state.isOver = true));
  while (!state.isOver) {
    const startedMs = performance.now();
    const { status } = await send(port, times.length % 2 === 0 ? '/readyz' : '/checks');
    if (status !== 200) throw new Error(`others are answered ${status}`);
    times.push(performance.now() - startedMs);
  }
  await done;
  return times;
}

function percentiles(times: readonly number[]): string {
  return `${quantileOf(times, 0.5).toFixed(0)} and ${quantileOf(times, 0.99).toFixed(0)} ms`;
}

/** Of the program, as the kernel counts it. */
function memoryMib(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${service.pid ?? 0}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
