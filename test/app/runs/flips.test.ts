import { createFlipWatch, type Flip } from '../../../src/app/runs/flips.js';
import type { Trigger } from '../../../src/app/runs/run.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';

/** A run: when, how the check comes out, and what may differ. */
interface Step {
  readonly at: string;
  readonly result: Result;
  readonly release?: string;
  readonly trigger?: Trigger;
}

const CHECK = 'C-LLMS-01';

/** The flips that the last of these runs of one site makes. */
async function flipsAfter(db: Database, steps: readonly Step[]): Promise<readonly Flip[]> {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db);
  const { id: siteId } = await addSite(db, accountId);
  let flips: readonly Flip[] = [];
  for (const { at, result, release = '1.0.0', trigger = 'SCHEDULED' } of steps) {
    flips = [];
    clock.set(at);
    const startedAt = clock.now();
    const scan = async () => ({ ...scanReport(), startedAt, findings: [finding({ checkId: CHECK, result })] });
    const atFinish = createFlipWatch((found) => (flips = found));
    const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1), release, atFinish });
    await performRun({ accountId, siteId, origin: 'https://shop.example.com', trigger });
  }
  return flips;
}

const DAY = '2026-03-15T00:00:00.000Z';
const LATER = '2026-03-15T23:59:00.000Z';
const PASSED: Step = { at: DAY, result: 'PASS' };
const FAILS: Step = { at: LATER, result: 'FAIL' };
const OPEN: Step = { at: '2026-03-15T12:00:00.000Z', result: 'UNDETERMINED' };

const CASES: readonly (readonly [about: string, steps: readonly Step[], to: Flip['to'] | null])[] = [
  ['a check that passed a day ago fails', [PASSED, FAILS], 'FAIL'],
  [
    'and the other way round',
    [
      { ...PASSED, result: 'FAIL' },
      { ...FAILS, result: 'PASS' },
    ],
    'PASS',
  ],
  ['what could not be determined is looked through', [PASSED, OPEN, FAILS], 'FAIL'],
  ['the first run', [FAILS], null],
  ['the same again', [PASSED, { ...FAILS, result: 'PASS' }], null],
  ['more than a day later', [PASSED, { ...FAILS, at: '2026-03-16T00:01:00.000Z' }], null],
  ['another release judged', [PASSED, { ...FAILS, release: '1.1.0' }], null],
  ['a run after a deploy of the site', [PASSED, { ...FAILS, trigger: 'POST_DEPLOY' }], null],
  ['a run before the last deploy', [PASSED, { ...OPEN, trigger: 'POST_DEPLOY' }, FAILS], null],
  ['since the last deploy', [{ ...PASSED, trigger: 'POST_DEPLOY' }, FAILS], 'FAIL'],
  ['a check that did not apply', [{ ...PASSED, result: 'NOT_APPLICABLE' }, FAILS], null],
];

onEachDatabase(async (t, engine) => {
  for (const [about, steps, to] of CASES) {
    t.test(`${to === null ? 'no flip' : `a flip to ${to}`}: ${about}`, async (t) => {
      t.same(await flipsAfter(await engine.openDb(t), steps), to === null ? [] : [{ checkId: CHECK, to }]);
    });
  }
});
