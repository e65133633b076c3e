import { DAILY_RUNS } from '../../../src/app/limits/limits.js';
import type { RunResponse, Trigger } from '../../../src/app/runs/run.js';
import type { Call, Change, History, Stored } from './history.js';

export interface Terms {
  /** Account ids by key id. */
  readonly owners: ReadonlyMap<string, string>;
  /** Requests per key and month. */
  readonly quota: number;
  /** True if the database or processes were stopped: failed requests may have happened, and their charges may not be refunded. */
  readonly isDisturbed: boolean;
  /** The sites whose runs after a deployment failed, once per failure. A failed run counts for the day. */
  readonly failedDeploys: readonly string[];
}

const FIRST_PLAN = 'MONITOR';

/** Returns what is wrong, in words. */
export function findFaults(history: History, stored: Stored, terms: Terms): string[] {
  return [
    ...findUndocumented(history.calls),
    ...findStoreFaults(history, stored),
    ...findReadFaults(history.calls),
    ...findBudgetFaults(history, stored, terms),
    ...findGoneFaults(history),
    ...findPlanFaults(history, terms),
    ...findQuotaFaults(history, stored, terms),
  ];
}

const STATUSES: Readonly<Record<Call['op'], readonly number[]>> = {
  start: [201, 401, 403, 404, 409, 429, 500, 503],
  latest: [200, 401, 403, 404, 429, 500, 503],
  byNumber: [200, 400, 401, 403, 404, 429, 500, 503],
};

function* findUndocumented(calls: readonly Call[]): Generator<string> {
  for (const { op, status, broken, code, headers } of calls) {
    if (broken === 'cut') yield `${op}: the connection was cut in the middle of an answer`;
    if (broken !== null) continue;
    if (!STATUSES[op].includes(status)) yield `${op}: answered ${status}`;
    if (status >= 400 && !/^[a-z_]+$/.test(code ?? '')) yield `${op}: a ${status} without the error body`;
    const wait = headers['retry-after'];
    if ((status === 429 || status === 503) !== /^[1-9][0-9]*$/.test(wait ?? ''))
      yield `${op}: ${status}, Retry-After ${wait}`;
    const remaining = headers['x-ratelimit-remaining'] ?? '0';
    if (!/^[0-9]+$/.test(remaining)) yield `${op}: X-RateLimit-Remaining ${remaining}`;
  }
}

const nameOf = (siteId: string, number: number): string => `run ${number} of ${siteId}`;

/** Returns the run in an answer. */
export function runOf(call: Call): { readonly number: number; readonly name: string; readonly day: string } | null {
  if (call.status !== 200 && call.status !== 201) return null;
  const { number, startedAt } = (JSON.parse(call.text) as RunResponse).run;
  return { number, name: nameOf(call.siteId, number), day: startedAt.slice(0, 10) };
}

/** Numbers have no gap, an acknowledged run is stored once, and each read of it has the same bytes. */
export function* findStoreFaults(history: History, { runs, sites }: Stored): Generator<string> {
  for (const { id, run_counter } of sites) {
    const numbers = runs.filter(({ site_id }) => site_id === id).map(({ number }) => number);
    if (numbers.length !== run_counter || numbers.some((number, index) => number !== index + 1)) {
      yield `${id}: counter ${run_counter}, numbers ${numbers.join(' ')}`;
    }
  }
  const removed = new Set(history.changesOf('removed').map(({ id }) => id));
  const texts = new Map(runs.map((run) => [nameOf(run.site_id, run.number), { text: run.text, etag: run.etag }]));
  const acknowledged = new Set<string>();
  for (const call of history.calls) {
    const run = runOf(call);
    if (!run) continue;
    if (call.op === 'start') {
      if (acknowledged.has(run.name)) yield `${run.name}: acknowledged twice`;
      acknowledged.add(run.name);
    }
    const kept = texts.get(run.name);
    if (!kept && !removed.has(call.siteId)) yield `${run.name}: answered, but not stored`;
    const { text, headers } = call;
    if (!kept) texts.set(run.name, { text, etag: headers.etag ?? '' });
    else if (kept.text !== text || kept.etag !== headers.etag) yield `${run.name}: ${call.op} answered another`;
  }
}

/** A read sees every run that was answered before the read began. */
function* findReadFaults(calls: readonly Call[]): Generator<string> {
  for (const ofSite of Map.groupBy(calls, ({ siteId }) => siteId).values()) {
    const known = ofSite.filter((call) => runOf(call)).sort((a, b) => a.endedMs - b.endedMs);
    const numbers = new Set<number>();
    let [latest, seen] = [0, 0];
    for (const call of ofSite.toSorted((a, b) => a.beganMs - b.beganMs)) {
      for (let next = known[seen]; next && next.endedMs < call.beganMs; next = known[(seen += 1)]) {
        const number = runOf(next)?.number ?? 0;
        latest = Math.max(latest, number);
        numbers.add(number);
      }
      const number = runOf(call)?.number;
      const isBehind = number !== undefined && (call.op === 'start' ? number <= latest : number < latest);
      if (isBehind && call.op !== 'byNumber')
        yield `${call.siteId}: ${call.op} is ${number} after ${latest} was answered`;
      if (call.code === 'no_completed_run' && latest > 0) yield `${call.siteId}: no run after ${latest} was answered`;
      if (call.code === 'run_not_found' && numbers.has(call.number ?? 0))
        yield `${call.siteId}: ${call.number} is gone`;
    }
  }
}

/** Returns the days of all answered runs. Those of removed sites are no longer in the database. */
export function daysOf({ calls }: History): ReadonlySet<string> {
  return new Set(calls.flatMap((call) => runOf(call)?.day ?? []));
}

/** For each trigger with a daily limit, as many runs are stored as are charged, and no day exceeds the limit. */
function* findBudgetFaults(history: History, stored: Stored, { isDisturbed, failedDeploys }: Terms): Generator<string> {
  const { runs, sites, budgets, queued } = stored;
  if (queued > 0 && !isDisturbed) yield `${queued} runs are left in the queue`;
  for (const [trigger, limit] of Object.entries(DAILY_RUNS)) {
    for (const { id } of sites) {
      const ofSite = budgets.filter((budget) => budget.site_id === id && budget.trigger === trigger);
      const used = ofSite.reduce((sum, budget) => sum + budget.used, 0);
      const count = runs.filter((run) => run.site_id === id && run.trigger === (trigger as Trigger)).length;
      const failed = trigger === 'POST_DEPLOY' ? failedDeploys.filter((siteId) => siteId === id).length : 0;
      for (const budget of ofSite) if (budget.used > limit) yield `${id}: ${budget.used} ${trigger} on ${budget.day}`;
      if (used < count || (used > count + failed && !isDisturbed))
        yield `${id}: ${count} ${trigger} stored, ${failed} failed, ${used} taken`;
    }
  }
  const days = daysOf(history).size;
  const acknowledged = history.calls.filter(({ op, status }) => op === 'start' && status === 201);
  for (const [siteId, { length }] of Map.groupBy(acknowledged, (call) => call.siteId)) {
    if (length > days * (DAILY_RUNS.API ?? 0)) yield `${siteId}: ${length} API runs in ${days} days`;
  }
}

/** A revoked key or removed site works before the change begins, and not after it was acknowledged. */
function* findGoneFaults(history: History): Generator<string> {
  const goneOf = (kind: Change['kind']) => new Map(history.changesOf(kind).map((change) => [change.id, change]));
  const [revoked, removed] = [goneOf('revoked'), goneOf('removed')];
  const isBefore = (change: Change | undefined, { beganMs }: Call) => change?.isSure && change.endedMs < beganMs;
  const isPossible = (change: Change | undefined, { endedMs }: Call) => change && change.beganMs < endedMs;
  for (const call of history.calls) {
    const { status, code, op, keyId, siteId } = call;
    if (status === 0) continue;
    const [revocation, removal] = [revoked.get(keyId), removed.get(siteId)];
    const isKeyRefused = code === 'invalid_api_key';
    const isOfSite = status < 400 || code === 'run_not_found' || code === 'no_completed_run';
    if (isBefore(revocation, call) && !isKeyRefused && status < 500)
      yield `${keyId}: ${op} answered ${status} after the key was revoked`;
    if (isKeyRefused && !isPossible(revocation, call)) yield `${keyId}: refused as unknown`;
    if (isBefore(removal, call) && isOfSite) yield `${siteId}: ${op} answered ${status} ${code} after it was removed`;
    if (code === 'site_not_found' && !isPossible(removal, call)) yield `${siteId}: not found`;
  }
}

/** A key works only while the account's plan includes the API. During a change, both answers are right. */
function* findPlanFaults(history: History, { owners }: Terms): Generator<string> {
  const changes = Map.groupBy(history.changesOf('plan'), ({ id }) => id);
  for (const call of history.calls) {
    const { status, code, op, beganMs, endedMs } = call;
    if (status === 0 || status >= 500) continue;
    let possible = [FIRST_PLAN];
    for (const change of changes.get(owners.get(call.keyId) ?? '') ?? []) {
      if (change.beganMs > endedMs) break;
      const isOver = change.isSure && change.endedMs < beganMs;
      possible = [...(isOver ? [] : possible), change.plan ?? ''];
    }
    const isRefused = code === 'plan_without_api';
    if (isRefused && !possible.includes('FREE')) yield `${op}: refused for its plan, which was ${possible.join(', ')}`;
    const hadApi = possible.some((plan) => plan !== 'FREE');
    if (!isRefused && !hadApi && code !== 'invalid_api_key') yield `${op}: ${status} on the plan FREE`;
  }
}

/** Returns how many requests the answer cost, at least and at most. */
function costOf(
  call: Call,
  removed: ReadonlySet<string>,
  isDisturbed: boolean,
): readonly [least: number, most: number] {
  const { status, code, op, siteId } = call;
  if (status === 0) return [0, 1];
  if (status >= 500) return [0, isDisturbed ? 1 : 0];
  if (status === 401 || status === 429 || code === 'plan_without_api') return [0, 0];
  // A start is refunded if its site is removed during the scan, but not if it was removed before.
  if (op === 'start' && code === 'site_not_found' && removed.has(siteId)) return [0, 1];
  return [1, 1];
}

/** Each key is charged for its answers, never beyond its quota, and is refused only if the quota can be used up. */
function* findQuotaFaults(history: History, { usage }: Stored, { quota, isDisturbed }: Terms): Generator<string> {
  const removed = new Set(history.changesOf('removed').map(({ id }) => id));
  for (const { key_id, month, used } of usage) if (used > quota) yield `${key_id}: ${used} of ${quota} in ${month}`;
  for (const [keyId, calls] of Map.groupBy(history.calls, (call) => call.keyId)) {
    const used = usage.filter(({ key_id }) => key_id === keyId).reduce((sum, row) => sum + row.used, 0);
    let [least, most] = [0, 0];
    for (const call of calls) {
      const cost = costOf(call, removed, isDisturbed);
      [least, most] = [least + cost[0], most + cost[1]];
    }
    if (used < least || used > most) yield `${keyId}: ${used} counted, ${least} to ${most} were to be`;
    const taking = calls.filter(({ code }) => code !== 'plan_without_api' && code !== 'monthly_quota_exceeded');
    const spentMs = taking.map(({ beganMs }) => beganMs).sort((a, b) => a - b)[quota - 1] ?? Infinity;
    const isEarly = ({ code, endedMs }: Call): boolean => code === 'monthly_quota_exceeded' && endedMs < spentMs;
    for (const _ of calls.filter(isEarly)) yield `${keyId}: refused before it was spent`;
  }
}
