import { DAILY_RUNS } from '../../../src/app/limits/daily-runs.js';
import type { RunResponse, Trigger } from '../../../src/app/runs/run.js';
import { findAccessFaults } from './access-invariants.js';
import { type Call, groupBy, type History } from './history.js';
import type { Stored } from './stored.js';

/** What the history is held against. */
export interface Terms {
  /** The plan that each account began with. */
  readonly plans: ReadonlyMap<string, string>;
  /** The account of each key. */
  readonly owners: ReadonlyMap<string, string>;
  /** Requests a month, of each key. */
  readonly quota: number;
  /**
   * Whether the database or processes were ended meanwhile: then what failed may have taken place or not, and what was taken for it may not
   * have been given back. Never is more given back than was taken.
   */
  readonly isDisturbed: boolean;
  /**
   * The sites whose runs after a deployment failed, each as often as one did: one that is given up counts all the same, and one that was asked
   * for again while it was in hand is tried again as both.
   */
  readonly failedDeploys: readonly string[];
}

/** What the history and the database tell against the service; nothing where all is as it must be. */
export function findFaults(history: History, stored: Stored, terms: Terms): string[] {
  return [
    ...findUndocumented(history.calls),
    ...findStoreFaults(history, stored),
    ...findReadFaults(history.calls),
    ...findBudgetFaults(history, stored, terms),
    ...findAccessFaults(history, stored, terms),
  ];
}

const STATUSES: Readonly<Record<Call['op'], readonly number[]>> = {
  start: [201, 401, 403, 404, 409, 429, 500, 503],
  latest: [200, 401, 403, 404, 429, 500, 503],
  byNumber: [200, 400, 401, 403, 404, 429, 500, 503],
};

function* findUndocumented(calls: readonly Call[]): Generator<string> {
  for (const call of calls) {
    const { op, status, broken, code, headers } = call;
    if (broken === 'cut') yield `${op}: the connection was cut in the middle of an answer`;
    if (broken !== null) continue;
    if (!STATUSES[op].includes(status)) yield `${op}: answered ${status}`;
    if (status >= 400 && !/^[a-z_]+$/.test(code ?? '')) yield `${op}: a ${status} without the error body`;
    const isWaitTold = /^[1-9][0-9]*$/.test(headers['retry-after'] ?? '');
    if ((status === 429 || status === 503) !== isWaitTold)
      yield `${op}: ${status}, Retry-After ${headers['retry-after']}`;
    const remaining = headers['x-ratelimit-remaining'];
    if (remaining !== undefined && !/^[0-9]+$/.test(remaining)) yield `${op}: X-RateLimit-Remaining ${remaining}`;
  }
}

const nameOf = (siteId: string, number: number): string => `run ${number} of ${siteId}`;

/** The run that an answer tells of. */
export function runOf(call: Call): { readonly number: number; readonly name: string; readonly day: string } | null {
  if (call.status !== 200 && call.status !== 201) return null;
  const { number, startedAt } = (JSON.parse(call.text) as RunResponse).run;
  return { number, name: nameOf(call.siteId, number), day: startedAt.slice(0, 10) };
}

/** Numbers without a gap; what was acknowledged is stored, once, and every read of it is the same, byte for byte. */
function* findStoreFaults(history: History, { runs, sites }: Stored): Generator<string> {
  for (const { id, run_counter } of sites) {
    const numbers = runs.filter(({ site_id }) => site_id === id).map(({ number }) => number);
    if (numbers.length !== run_counter || numbers.some((number, index) => number !== index + 1)) {
      yield `${id}: counter ${run_counter}, numbers ${numbers.join(' ')}`;
    }
  }
  const removed = new Set(history.changesOf('removed').map(({ id }) => id));
  const texts = new Map(runs.map((run) => [nameOf(run.site_id, run.number), run]));
  const acknowledged = new Set<string>();
  for (const call of history.calls) {
    const run = runOf(call);
    if (!run) continue;
    if (call.op === 'start') {
      if (acknowledged.has(run.name)) yield `${run.name}: acknowledged twice`;
      acknowledged.add(run.name);
    }
    const kept = texts.get(run.name);
    if (!kept) {
      if (!removed.has(call.siteId)) yield `${run.name}: answered, but not stored`;
      texts.set(run.name, {
        ...run,
        site_id: call.siteId,
        trigger: '',
        text: call.text,
        etag: call.headers.etag ?? '',
      });
    } else if (kept.text !== call.text || kept.etag !== call.headers.etag)
      yield `${run.name}: ${call.op} answered another`;
  }
}

/** A read sees every run that was answered before it began: the latest is none before it, and no number is missing. */
function* findReadFaults(calls: readonly Call[]): Generator<string> {
  for (const ofSite of groupBy(calls, ({ siteId }) => siteId).values()) {
    const known = ofSite.filter((call) => runOf(call)).sort((a, b) => a.endedMs - b.endedMs);
    let latest = 0;
    const numbers = new Set<number>();
    let seen = 0;
    for (const call of ofSite.toSorted((a, b) => a.beganMs - b.beganMs)) {
      for (let next = known[seen]; next && next.endedMs < call.beganMs; next = known[(seen += 1)]) {
        const number = runOf(next)?.number ?? 0;
        latest = Math.max(latest, number);
        numbers.add(number);
      }
      const number = runOf(call)?.number;
      if (call.op === 'latest' && number !== undefined && number < latest) {
        yield `${call.siteId}: latest is ${number} after ${latest} was answered`;
      }
      if (call.op === 'start' && number !== undefined && number <= latest) {
        yield `${call.siteId}: started ${number} after ${latest} was answered`;
      }
      if (call.code === 'no_completed_run' && latest > 0) yield `${call.siteId}: no run after ${latest} was answered`;
      if (call.code === 'run_not_found' && numbers.has(call.number ?? 0))
        yield `${call.siteId}: ${call.number} is gone`;
    }
  }
}

/** The days of all runs that were answered: the database forgets those of sites that are removed. */
export function daysOf({ calls }: History): ReadonlySet<string> {
  return new Set(calls.flatMap((call) => runOf(call)?.day ?? []));
}

/** Of each trigger with a budget, as many runs are stored as were taken from the days, and of no day more than it has. */
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
  const acknowledged = groupBy(
    history.calls.filter(({ op, status }) => op === 'start' && status === 201),
    ({ siteId }) => siteId,
  );
  for (const [siteId, { length }] of acknowledged) {
    if (length > days * (DAILY_RUNS.API ?? 0)) yield `${siteId}: ${length} API runs in ${days} days`;
  }
}
