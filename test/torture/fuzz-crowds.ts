import fc from 'fast-check';
import { readStoredRuns } from '../support/stored-runs.js';
import type { HttpAnswer } from '../support/http-client.js';
import { contractFaults } from '../support/contract.js';
import { count, type Tally } from './fuzz-oracle.js';
import { sendBytes } from './fuzz-wire.js';
import type { World } from './fuzz-world.js';

const ASKED = {
  start: { operationId: 'createRun', method: 'POST', path: '' },
  latest: { operationId: 'getLatestRun', method: 'GET', path: '/latest' },
  first: { operationId: 'getRun', method: 'GET', path: '/1' },
  none: { operationId: 'getRun', method: 'GET', path: '/0' },
} as const;
type Asked = keyof typeof ASKED;

/** Clients of one account that all ask at once: each has a connection, and sends its requests without waiting for the answers. */
export interface Crowd {
  /** Requests that are left of the key's month. */
  readonly left: number;
  readonly clients: readonly (readonly Asked[])[];
}

const asked = fc.constantFrom<Asked>('start', 'start', 'start', 'latest', 'first', 'none');
export const crowd: fc.Arbitrary<Crowd> = fc.record({
  left: fc.constantFrom(1_000, 1_000, 0, 1, 3, 8, 20),
  clients: fc.array(fc.array(asked, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 10 }),
});

const RUNS_A_DAY = 5;

/** @returns where the answers, taken together, are none that requests one after the other could have had */
export async function playCrowd(world: World, { left, clients }: Crowd, tally: Tally): Promise<string[]> {
  const account = await world.addAccount('MONITOR');
  const [site, key] = [await world.addSite(account), await world.addKey(account)];
  await world.leave(key, left);
  const render = (name: Asked) => {
    const { method, path } = ASKED[name];
    return `${method} /api/v1/sites/${site.id}/runs${path} HTTP/1.1\r\nHost: readiness.test\r\nAuthorization: Bearer ${key.text}\r\n\r\n`;
  };
  const replies = await Promise.all(
    clients.map((names) => {
      const methods = names.map((name) => ASKED[name].method);
      return sendBytes(world.port, [Buffer.from(names.map(render).join(''))], { methods, isOdd: false });
    }),
  );
  const pairs = clients.flatMap((names, client) =>
    names.map((name, index) => ({ name, answer: replies[client]?.answers[index] })),
  );
  const faults = replies.flatMap((reply) => [...reply.faults]);
  const answered: { name: Asked; answer: HttpAnswer }[] = [];
  for (const { name, answer } of pairs) {
    count(tally, ASKED[name].operationId, answer);
    if (!answer) faults.push(`${name}: there is no answer`);
    else {
      answered.push({ name, answer });
      faults.push(...contractFaults(ASKED[name].operationId, answer));
    }
  }
  const month = world.month();
  const usedBefore = key.usedByMonth.get(month) ?? 0;
  const used = ((await world.usedInDatabase()).get(`${key.id} ${month}`) ?? 0) - usedBefore;
  key.usedByMonth.set(month, usedBefore + used);
  const runs = (await readStoredRuns(world.db)).filter(({ site_id }) => site_id === site.id);
  site.runs.push(...runs.map(({ text }) => text));
  return [...faults, ...chargeFaults(answered, used, left), ...runFaults(answered, site.runs)];
}

/** Whatever is answered is charged, but for what was refused for want of quota or of the day's budget. */
function chargeFaults(answered: readonly { name: Asked; answer: HttpAnswer }[], used: number, left: number): string[] {
  const charged = answered.filter(({ answer }) => answer.status !== 429).length;
  const refusedByDay = answered.filter(({ answer }) => answer.text.includes('"daily_runs_exceeded"')).length;
  const faults = used === charged ? [] : [`the database counts ${used}, the answers ${charged}`];
  if (used > left) faults.push(`${used} of ${left} were let through`);
  // Without refunds in between, nobody is turned away while there is some left.
  if (refusedByDay === 0 && charged !== Math.min(left, answered.length))
    faults.push(`only ${charged} of ${left} let through`);
  return faults;
}

function runFaults(answered: readonly { name: Asked; answer: HttpAnswer }[], runs: readonly string[]): string[] {
  const started = answered
    .filter(({ name, answer }) => name === 'start' && answer.status === 201)
    .map(({ answer }) => answer.text);
  const faults = runs.flatMap((text, index) => {
    const { run } = JSON.parse(text) as { run: { number: number } };
    return run.number === index + 1 ? [] : [`run ${index + 1} has the number ${run.number}`];
  });
  if (started.length !== runs.length) faults.push(`${started.length} runs were answered, ${runs.length} are stored`);
  if (started.some((text) => !runs.includes(text))) faults.push('a run was answered that is not stored');
  const refused = answered.filter(({ answer }) => answer.text.includes('"daily_runs_exceeded"')).length;
  if (runs.length > RUNS_A_DAY) faults.push(`${runs.length} runs in a day`);
  if (refused > 0 && runs.length < RUNS_A_DAY) faults.push(`refused for the day after ${runs.length} runs`);
  const read = answered.filter(({ name, answer }) => name !== 'start' && answer.status === 200);
  if (read.some(({ answer }) => !runs.includes(answer.text))) faults.push('a run was read that is not stored');
  return faults;
}
