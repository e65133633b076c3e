import { PLANS } from '../../../src/app/accounts/plan.js';
import { EvidenceBound } from '../../../src/app/evidence/evidence-bound.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import { workOff } from '../../../src/queue/steps.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { rowsOf } from '../../support/tables.js';
import { startWeb } from '../../support/web.js';

const MB = 1_000_000;

interface Row {
  readonly account_id: string | null;
  readonly kept_at: string;
  readonly bytes: number | null;
  readonly evidence: Uint8Array;
}

const setBytes = defineQuery<never, { account_id: string; bytes: number }>((sql, { account_id, bytes }) =>
  sql('run_evidence').where({ account_id }).update({ bytes }),
);
const forgetSizes = defineQuery<never>((sql) => sql('run_evidence').update({ account_id: null, bytes: null }));

/** An account with two sites that has a run every hour, at each in turn, whose evidence takes so many bytes. */
async function addRuns(db: Database, plan: string, count: number, bytes: number) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db, plan);
  const sites = [];
  for (const hostname of ['a.example.com', 'b.example.com']) sites.push(await addSite(db, accountId, { hostname }));
  const scan = async () => ({ ...scanReport(), evidence: evidenceFor('C-BOT-01') });
  const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1) });
  for (let hour = 0; hour < count; hour += 1) {
    clock.set(new Date(Date.UTC(2026, 2, 16, hour)).toISOString());
    const { id: siteId = '', origin = '' } = sites[hour % 2] ?? {};
    await performRun({ accountId, siteId, origin, trigger: 'SCHEDULED' });
  }
  await db.run(setBytes({ account_id: accountId, bytes }));
  return accountId;
}

async function evidenceOf(db: Database, accountId: string): Promise<readonly Row[]> {
  const rows = (await rowsOf(db, 'run_evidence')) as readonly Row[];
  return rows.filter(({ account_id }) => account_id === accountId).sort((a, b) => a.kept_at.localeCompare(b.kept_at));
}

onEachDatabase(async (t, engine) => {
  t.test('the oldest evidence of an account makes room, and no run goes', async (t) => {
    t.same(
      [PLANS.FREE, PLANS.MONITOR, PLANS.SCALE].map(({ evidenceBytesMax }) => evidenceBytesMax / MB),
      [...[50, 1000, 20_000]],
    );
    const db = await engine.openDb(t);
    const over = await addRuns(db, 'FREE', 6, 12 * MB);
    const full = await addRuns(db, 'FREE', 5, 10 * MB);
    const other = await addRuns(db, 'MONITOR', 6, 12 * MB);
    const before = await evidenceOf(db, over);
    await workOff(new EvidenceBound(db).begin(), Infinity);
    t.same(await evidenceOf(db, over), before.slice(2), 'of both sites, 48 of 50 MB are left');
    t.equal((await evidenceOf(db, full)).length, 5, 'what fits stays');
    t.equal((await evidenceOf(db, other)).length, 6, 'and what is of another account');
    t.equal((await rowsOf(db, 'runs')).length, 17);
  });

  t.test('what an earlier version has kept is measured first', async (t) => {
    const db = await engine.openDb(t);
    const accountId = await addRuns(db, 'FREE', 3, 1);
    await db.run(forgetSizes({}));
    await workOff(new EvidenceBound(db).begin(), Infinity);
    const rows = await evidenceOf(db, accountId);
    t.equal(rows.length, 3);
    for (const { bytes, evidence } of rows) t.equal(bytes, evidence.byteLength);
  });

  t.test('much is deleted some at a time, and a sweep goes on where it was stopped', async (t) => {
    const db = await engine.openDb(t);
    const first = await addRuns(db, 'FREE', 1, 1);
    const [row] = await evidenceOf(db, first);
    for (const part of [1, 2]) {
      const checks = Array.from({ length: 350 }, (_, index) => ({ ...row, check_id: `${part} ${index}`, bytes: MB }));
      await db.run(defineQuery<never>((sql) => sql('run_evidence').insert(checks))({}));
    }
    const second = await addRuns(db, 'FREE', 6, 12 * MB);
    const bound = new EvidenceBound(db);
    const steps = bound.begin();
    while ((await evidenceOf(db, first)).length > 51) await steps.next();
    t.equal((await evidenceOf(db, first)).length, 50);
    await workOff(bound.begin(), Infinity);
    t.equal((await evidenceOf(db, second)).length, 4);
  });

  t.test('the plan names the bound', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember(await addAccount(web.db, 'FREE'));
    t.match((await member.get('/account')).text, /<dt>Sites<\/dt><dd><b>0<\/b> of 3.*50 MB, then the oldest goes/s);
    t.match(
      (await member.get('/keys')).text,
      />Evidence<\/th><td[^>]*>50 MB<\/td><td[^>]*>1 GB<\/td><td[^>]*>20 GB<\/td>/,
    );
  });
});
