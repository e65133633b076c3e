import { acceptedOf, acceptFailure, removeAcceptance } from '../../../src/app/triage/accepted-failures.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { finishRun } from '../../support/finish-run.js';

/** Creates a site whose latest run found one failure. */
async function prepare(db: Database) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  await finishRun({ db, clock }, at, [
    finding({ checkId: 'a', result: 'FAIL' }),
    finding({ checkId: 'b', result: 'PASS' }),
  ]);
  const failure = { ...at, checkId: 'a', errorType: 'MISSING' as const };
  const accepted = {
    list: () => acceptedOf(db, site.id),
    accept: (one: Parameters<typeof acceptFailure>[1]) => acceptFailure({ db, clock }, one),
    remove: (one: Parameters<typeof removeAcceptance>[1]) => removeAcceptance({ db, clock }, one),
  };
  return { db, clock, at, failure, accepted };
}

onEitherDatabase(async (t, engine) => {
  t.test('a failure is accepted with a reason, which can be changed, and the acceptance can be removed', async (t) => {
    const { accepted, failure, clock } = await prepare(await engine.openDb(t));
    t.same(await accepted.list(), []);
    await accepted.accept({ ...failure, reason: ' we sell to\tpeople only\n' });
    const acceptedAt = clock.now().toISOString();
    const kept = { checkId: 'a', errorType: 'MISSING', acceptedAt };
    t.same(await accepted.list(), [{ ...kept, reason: 'we sell to people only' }]);
    await accepted.accept({ ...failure, reason: 'x'.repeat(300) });
    t.same(await accepted.list(), [{ ...kept, reason: 'x'.repeat(300) }]);
    await accepted.remove(failure);
    await accepted.remove(failure);
    t.same(await accepted.list(), []);
  });

  t.test('accepting needs a short reason, and a failure of the latest run', async (t) => {
    const { accepted, at, failure, db, clock } = await prepare(await engine.openDb(t));
    const refused: [change: object, field: string | undefined, message: RegExp][] = [
      [{ reason: ' \u0000\n' }, 'reason', /why/],
      [{ reason: 'x'.repeat(301) }, 'reason', / 300 .* 301/],
      [{ errorType: 'FORMAT' }, undefined, /not find/],
      [{ checkId: 'b' }, undefined, /not find/],
      [{ checkId: 'c' }, undefined, /not find/],
    ];
    for (const [change, field, message] of refused) {
      const request = { ...failure, reason: 'a reason', ...change };
      await t.rejects(accepted.accept(request), { name: 'InputError', status: 422, field, message });
    }
    await finishRun({ db, clock }, at, [finding({ checkId: 'a', result: 'PASS' })]);
    await t.rejects(accepted.accept({ ...failure, reason: 'a reason' }), { name: 'InputError', message: /not find/ });
    t.same(await accepted.list(), []);
  });
});
