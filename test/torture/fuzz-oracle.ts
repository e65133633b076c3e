import { ERRORS } from '../../src/platform/errors.js';
import { PLANS } from '../../src/app/accounts/plan.js';
import { contractFaults, faultsAt } from '../support/contract.js';
import type { HttpAnswer } from '../support/http-client.js';
import { PUBLIC_URL } from '../support/start-api.js';
import { expectOf, type Expected, pathOf, roomOf, usedOf } from './fuzz-model.js';
import { roomFaults } from './fuzz-room-oracle.js';
import type { Sent } from './fuzz-scene.js';
import { sendBytes } from './fuzz-wire.js';
import type { World } from './fuzz-world.js';

/** How often each operation answered what. */
export type Tally = Map<string, Map<string, number>>;

export function count(tally: Tally, about: string, answer: HttpAnswer | undefined): void {
  const statuses = tally.get(about) ?? new Map<string, number>();
  const status = answer ? String(answer.status) : 'cut';
  tally.set(about, statuses.set(status, (statuses.get(status) ?? 0) + 1));
}

/** Sends one request and enters what it did into the book. @returns what was wrong with the answer; empty when nothing was */
export async function ask(world: World, sent: Sent, tally: Tally): Promise<string[]> {
  const expected = expectOf(world, sent);
  const { answers, faults } = await sendBytes(world.port, [sent.bytes], { methods: [sent.method], isOdd: sent.isOdd });
  const [answer, ...others] = answers;
  count(tally, expected.operationId ?? 'other paths', answer);
  if (!answer) return [...faults, ...(sent.isOdd ? await bookUnseen(world, expected) : ['there is no answer'])];
  const unexpected = others.filter((other) => !sent.isOdd || codeOf(other) !== 'bad_request');
  return [
    ...faults,
    ...unexpected.map(({ status }) => `one answer too many: ${status}`),
    ...others.flatMap(errorFaults),
    ...judge(world, sent, expected, answer),
  ];
}

/** What is wrong with the answer to a request, which is entered into the book. */
export function judge(world: World, sent: Sent, expected: Expected, answer: HttpAnswer): string[] {
  if (expected.outcome === 'elsewhere') return roomFaults(roomOf(pathOf(sent.target)), answer);
  const code = codeOf(answer);
  const isRefusedAsHttp = sent.isOdd && (code === 'bad_request' || (answer.method === 'HEAD' && answer.status === 400));
  const isTooLarge = sent.isOdd && code === 'payload_too_large' && expected.operationId === 'createRun';
  const charge = chargeFaults(world, expected, answer);
  if (isRefusedAsHttp) return [...charge, ...errorFaults(answer)];
  return [
    ...charge,
    ...(isTooLarge ? [] : outcomeFaults(world, sent, expected, answer)),
    ...idFaults(sent, answer),
    ...(expected.operationId === null ? plainFaults(answer) : contractFaults(expected.operationId, answer)),
  ];
}

/** Outcomes before the quota step, whose answers say nothing of the quota. */
const BEFORE_QUOTA = new Set([
  'not_found',
  'method_not_allowed',
  'missing_api_key',
  'invalid_api_key',
  'plan_without_api',
]);

/** Counts the request, and compares what the answer says of the quota. */
function chargeFaults(
  world: World,
  { operationId, outcome, key }: Expected,
  { status, headers }: HttpAnswer,
): string[] {
  const remaining = headers['x-ratelimit-remaining'];
  const isOpen = operationId === null || operationId === 'description' || BEFORE_QUOTA.has(outcome);
  if (remaining === undefined)
    return isOpen || status === 400 || status === 431 ? [] : ['X-RateLimit-Remaining is missing'];
  if (isOpen) return [`X-RateLimit-Remaining where no quota was asked: ${outcome}`];
  if (!key) return remaining === '0' ? [] : [`nothing is left, but X-RateLimit-Remaining is ${remaining}`];
  const quota = PLANS[key.account.plan].monthlyQuota;
  const used = usedOf(world, key) + (status === 429 || status >= 500 ? 0 : 1);
  key.usedByMonth.set(world.month(), used);
  const faults =
    headers['x-ratelimit-limit'] === String(quota) ? [] : ['X-RateLimit-Limit is not the quota of the plan'];
  return remaining === String(quota - used)
    ? faults
    : [...faults, `X-RateLimit-Remaining ${remaining}, not ${quota - used}`];
}

function outcomeFaults(world: World, sent: Sent, expected: Expected, answer: HttpAnswer): string[] {
  const { operationId, outcome, site, number } = expected;
  const { status, headers, text } = answer;
  if (outcome !== 'ok' && outcome !== 'elsewhere') {
    const { status: wanted } = ERRORS[outcome];
    const isRight = status === wanted && (answer.method === 'HEAD' || codeOf(answer) === outcome);
    return isRight ? [] : [`${status} ${codeOf(answer)}, not ${wanted} ${outcome}`];
  }
  if (operationId === 'createRun' && site && status === 201) {
    const next = site.runs.push(text);
    site.startsByDay.set(world.day(), (site.startsByDay.get(world.day()) ?? 0) + 1);
    site.etag = headers.etag ?? '';
    const { run } = JSON.parse(text) as { run: { number: number; trigger: string } };
    const isNext = run.number === next && headers.location === `${PUBLIC_URL}/api/v1/sites/${site.id}/runs/${next}`;
    return isNext && run.trigger === 'API' ? [] : [`run ${run.number} by ${run.trigger}, not ${next} by API`];
  }
  if (operationId === null) return status === (sent.method === 'OPTIONS' ? 204 : 200) ? [] : [`${status}, not ok`];
  const [tag, ...tags] = sent.ifNoneMatch;
  const isCurrent = tags.length === 0 && (tag === '*' || (tag === headers.etag && tag !== undefined));
  const statuses = operationId === 'createRun' ? [201] : isCurrent ? [304] : tag === undefined ? [200] : [200, 304];
  if (!statuses.includes(status)) return [`${status}, not ${statuses.join(' or ')}`];
  const isSame = status !== 200 || answer.method === 'HEAD' || !site || text === site.runs[(number ?? 0) - 1];
  return isSame ? [] : [`run ${number ?? 0} is not what it was`];
}

/** No answer to a request that may have been cut: it was counted or it was not, and nobody can tell but the database. */
async function bookUnseen(world: World, { key, operationId }: Expected): Promise<string[]> {
  if (!key) return [];
  const before = usedOf(world, key);
  await world.settle();
  await world.correctBook();
  const used = usedOf(world, key);
  return used - before > 1 ? [`${operationId ?? ''} without an answer was counted ${used - before} times`] : [];
}

const REQUEST_ID = /^[\w.~-]{1,64}$/;

function idFaults({ requestIds }: Sent, { headers }: HttpAnswer): string[] {
  const id = headers['x-request-id'] ?? '';
  if (!REQUEST_ID.test(id)) return [`X-Request-Id is ${JSON.stringify(id)}`];
  const [given = '', ...more] = requestIds;
  return more.length === 0 && REQUEST_ID.test(given) && given !== id ? ['X-Request-Id is not the one given'] : [];
}

/** For answers of no operation. */
function plainFaults(answer: HttpAnswer): string[] {
  if (answer.status >= 400) return errorFaults(answer);
  const isEmpty = answer.status === 204 || answer.method === 'HEAD';
  return isEmpty === (answer.text === '') ? [] : ['the body is not as the status says'];
}

function errorFaults({ method, status, headers, text }: HttpAnswer): string[] {
  const wanted = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  const faults = Object.entries(wanted).flatMap(([name, value]) =>
    headers[name] === value ? [] : [`${name} is not ${value}`],
  );
  if (![400, 404, 405, 408, 413, 431].includes(status)) faults.push(`status ${status}`);
  if (status === 405 && !headers.allow?.includes('OPTIONS')) faults.push('Allow is missing');
  if (!REQUEST_ID.test(headers['x-request-id'] ?? '')) faults.push('X-Request-Id is missing');
  return method === 'HEAD' ? faults : [...faults, ...faultsAt('/components/schemas/Error', JSON.parse(text))];
}

function codeOf({ text }: HttpAnswer): string {
  return /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? '';
}
