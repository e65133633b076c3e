import fc from 'fast-check';
import { secondsToNextUtcMonth, secondsUntil, utcDay, utcMonth, utcDayStart } from '../../../src/platform/clock.js';
import type { Admission } from '../../../src/app/keys/access.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { HeldScan } from '../../support/held-scan.js';
import { usedRuns } from '../../support/daily-runs.js';
import { openServices } from '../../support/services.js';

const QUOTA = 4;
const DAILY = 5;
export const SECOND_MS = 1000;
export const DAY_MS = 86_400_000;

/** The last moments of a month. */
export const BEGIN_MS = Date.parse('2026-02-28T23:59:57.500Z');

/** How far apart the clocks of two processes are. */
const APART_MS = [0, 3 * SECOND_MS] as const;

const PASSED_MS = [-31 * DAY_MS, -DAY_MS, -2000, -1, 1, 700, 2000, 3_600_000, DAY_MS, 31 * DAY_MS];

/** What clients do, and what becomes of the clocks. */
export const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('begin' as const), node: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('finish' as const, 'fail' as const), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('admit' as const), node: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('refund' as const), which: fc.nat(9) }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('pass' as const), ms: fc.constantFrom(...PASSED_MS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What must be in the database: for each day and month, what was taken and not given back. */
class Model {
  readonly days = new Map<string, number>();
  readonly months = new Map<string, number>();

  static add(counts: Map<string, number>, name: string, more: number): number {
    const count = (counts.get(name) ?? 0) + more;
    counts.set(name, count);
    return count;
  }

  static listed(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
    return [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const selectMonths = defineQuery<{ name: string; used: number }, { account_id: string }>((sql, { account_id }) =>
  sql('key_usage as u')
    .join('api_keys as k', 'k.id', 'u.key_id')
    .select('u.month as name', 'u.used')
    .where({ 'k.account_id': account_id })
    .where('u.used', '>', 0)
    .orderBy('u.month'),
);

/** Two processes whose clocks differ, and what they have in hand while time goes on, or back. */
export async function openScene(db: Database) {
  const { id: accountId } = await addAccount(db);
  const { id: siteId, hostname } = await addSite(db, accountId);
  const authorization = `Bearer ${await addKey(db, accountId)}`;
  let nowMs = BEGIN_MS;
  const model = new Model();
  const held = new HeldScan();
  const nodes = APART_MS.map((apartMs) => {
    const clock = { now: () => new Date(nowMs + apartMs) };
    return openServices(db, { clock, scan: held.scan, monthlyQuotaOverride: QUOTA });
  });
  const inHand: { day: string; ended: Promise<unknown>; scan: HeldScan['last'] }[] = [];
  const admitted: { month: string; admission: Admission }[] = [];
  const faults: string[] = [];
  const expect = (isTrue: boolean, words: string): void => {
    if (!isTrue) faults.push(words);
  };

  const begin = async (node: number): Promise<void> => {
    const { runs, clock } = nodes[node] ?? nodes[0]!;
    const now = clock.now();
    const day = utcDay(now);
    const before = held.started.length;
    const ended = runs.start({ accountId, siteId, trigger: 'API' }).catch((error: unknown) => error);
    const refusal = await Promise.race([ended, held.begun(before + 1).then(() => null)]);
    const isAdmitted = refusal === null;
    expect(isAdmitted === (model.days.get(day) ?? 0) < DAILY, `${day}: ${String(refusal)}`);
    if (isAdmitted) {
      Model.add(model.days, day, 1);
      inHand.push({ day, ended, scan: held.last });
    } else {
      const { retryAfterS } = refusal as { retryAfterS: number };
      expect(
        retryAfterS === secondsUntil(now, utcDayStart(now, 1)),
        `Retry-After ${retryAfterS} at ${now.toISOString()}`,
      );
    }
  };
  const end = async (which: number, isWell: boolean): Promise<void> => {
    const [run] = inHand.splice(which % Math.max(1, inHand.length), 1);
    if (!run) return;
    if (isWell) run.scan.finish();
    else run.scan.fail(new Error('a fault of ours'));
    await run.ended;
    if (!isWell) Model.add(model.days, run.day, -1);
  };
  const admit = async (node: number): Promise<void> => {
    const { access, clock } = nodes[node] ?? nodes[0]!;
    const now = clock.now();
    const month = utcMonth(now);
    const used = model.months.get(month) ?? 0;
    try {
      const admission = await access.admit(authorization);
      admitted.push({ month, admission });
      const count = Model.add(model.months, month, 1);
      expect(used < QUOTA, `${month}: admitted after ${used}`);
      expect(admission.rateLimit.remaining === QUOTA - count, `${month}: ${admission.rateLimit.remaining} left`);
    } catch (error) {
      const { retryAfterS, rateLimit } = error as { retryAfterS: number; rateLimit: { remaining: number } };
      expect(used >= QUOTA, `${month}: refused after ${used}`);
      expect(retryAfterS === secondsToNextUtcMonth(now) && rateLimit.remaining === 0, `${month}: ${retryAfterS} s`);
    }
  };
  const refund = async (which: number): Promise<void> => {
    const [paid] = admitted.splice(which % Math.max(1, admitted.length), 1);
    if (!paid) return;
    const left = await paid.admission.refund();
    const count = Model.add(model.months, paid.month, -1);
    expect(left.remaining === QUOTA - count, `${paid.month}: ${left.remaining} left after a return`);
    await paid.admission.refund();
  };
  return {
    faults,
    async take(step: Step): Promise<void> {
      if (step.op === 'begin') await begin(step.node);
      else if (step.op === 'admit') await admit(step.node);
      else if (step.op === 'refund') await refund(step.which);
      else if (step.op === 'pass') nowMs += step.ms;
      else await end(step.which, step.op === 'finish');
    },
    async close(): Promise<void> {
      while (inHand.length > 0) await end(0, true);
      await Promise.all(nodes.map(({ access }) => access.settle()));
      const windows = await usedRuns(db, { account_id: accountId, hostname });
      const days = windows.filter(({ used }) => used > 0).map(({ day, used }) => [day, used]);
      const months = (await db.run(selectMonths({ account_id: accountId }))).map(({ name, used }) => [name, used]);
      expect(JSON.stringify(days) === JSON.stringify(Model.listed(model.days)), `days ${JSON.stringify(days)}`);
      expect(JSON.stringify(months) === JSON.stringify(Model.listed(model.months)), `months ${JSON.stringify(months)}`);
    },
  };
}
