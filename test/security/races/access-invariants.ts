import { type Call, type Change, groupBy, type History } from './history.js';
import type { Terms } from './invariants.js';
import type { Stored } from './stored.js';

/** What the history tells against keys, plans and quotas. */
export function findAccessFaults(history: History, stored: Stored, terms: Terms): string[] {
  return [...findGoneFaults(history), ...findPlanFaults(history, terms), ...findQuotaFaults(history, stored, terms)];
}

/** Nothing works after a revocation or removal that was acknowledged before the request began, and everything before it. */
function* findGoneFaults(history: History): Generator<string> {
  const goneOf = (kind: Change['kind']) => new Map(history.changesOf(kind).map((change) => [change.id, change]));
  const revoked = goneOf('revoked');
  const removed = goneOf('removed');
  for (const call of history.calls) {
    if (call.status === 0) continue;
    const isKeyRefused = call.code === 'invalid_api_key';
    const revocation = revoked.get(call.keyId);
    if (revocation?.isSure && revocation.endedMs < call.beganMs && !isKeyRefused && call.status < 500) {
      yield `${call.keyId}: ${call.op} answered ${call.status} after the key was revoked`;
    }
    if (isKeyRefused && !(revocation && revocation.beganMs < call.endedMs)) yield `${call.keyId}: refused as unknown`;
    const removal = removed.get(call.siteId);
    if (removal?.isSure && removal.endedMs < call.beganMs && isOfSite(call)) {
      yield `${call.siteId}: ${call.op} answered ${call.status} ${call.code} after the site was removed`;
    }
    if (call.code === 'site_not_found' && !(removal && removal.beganMs < call.endedMs))
      yield `${call.siteId}: not found`;
  }
}

function isOfSite({ status, code }: Call): boolean {
  return status === 200 || status === 201 || code === 'run_not_found' || code === 'no_completed_run';
}

/** A key works while its account's plan has the API, and not while it has not; in between either may be. */
function* findPlanFaults(history: History, { plans, owners }: Terms): Generator<string> {
  const changes = groupBy(history.changesOf('plan'), ({ id }) => id);
  for (const call of history.calls) {
    const accountId = owners.get(call.keyId) ?? '';
    if (call.status === 0 || call.status >= 500) continue;
    const possible = plansDuring(call, plans.get(accountId) ?? '', changes.get(accountId) ?? []);
    const isRefused = call.code === 'plan_without_api';
    const hadApi = possible.some((plan) => plan !== 'FREE');
    const hadNone = possible.includes('FREE');
    if (isRefused && !hadNone) yield `${call.op}: refused for its plan, which was ${possible.join(', ')}`;
    if (!isRefused && !hadApi && call.code !== 'invalid_api_key') yield `${call.op}: ${call.status} on the plan FREE`;
  }
}

function plansDuring(call: Call, first: string, changes: readonly Change[]): string[] {
  let possible = [first];
  for (const { plan = '', beganMs, endedMs, isSure } of changes) {
    if (beganMs > call.endedMs) break;
    possible = isSure && endedMs < call.beganMs ? [plan] : [...possible, plan];
  }
  return possible;
}

/** How many requests an answer has cost: exactly, or at least and at most where nobody can know. */
function costOf(
  call: Call,
  removed: ReadonlySet<string>,
  isDisturbed: boolean,
): readonly [least: number, most: number] {
  const { status, code, op, siteId } = call;
  if (status === 0) return [0, 1];
  if (status >= 500) return [0, isDisturbed ? 1 : 0];
  if (status === 401 || status === 429 || code === 'plan_without_api') return [0, 0];
  // A site that went while its scan ran costs nothing; one that was gone before does.
  if (op === 'start' && code === 'site_not_found' && removed.has(siteId)) return [0, 1];
  return [1, 1];
}

/** What is counted is what must be, and no more than the quota; a key is refused only where it may be spent. */
function* findQuotaFaults(history: History, { usage }: Stored, { quota, isDisturbed }: Terms): Generator<string> {
  const removed = new Set(history.changesOf('removed').map(({ id }) => id));
  for (const { key_id, month, used } of usage) if (used > quota) yield `${key_id}: ${used} of ${quota} in ${month}`;
  for (const [keyId, calls] of groupBy(history.calls, (call) => call.keyId)) {
    const used = usage.filter(({ key_id }) => key_id === keyId).reduce((sum, row) => sum + row.used, 0);
    const costs = calls.map((call) => costOf(call, removed, isDisturbed));
    const least = costs.reduce((sum, [cost]) => sum + cost, 0);
    const most = costs.reduce((sum, [, cost]) => sum + cost, 0);
    if (used < least || used > most) yield `${keyId}: ${used} counted, ${least} to ${most} were to be`;
    const taking = calls.filter(({ code }) => code !== 'plan_without_api' && code !== 'monthly_quota_exceeded');
    const began = taking.map(({ beganMs }) => beganMs).sort((a, b) => a - b);
    const spentMs = began[quota - 1] ?? Infinity;
    for (const call of calls) {
      if (call.code === 'monthly_quota_exceeded' && call.endedMs < spentMs)
        yield `${keyId}: refused before it was spent`;
    }
  }
}
