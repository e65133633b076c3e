import { PLANS } from '../../../src/app/accounts/plan.js';
import { EvidenceLimit } from '../../../src/app/evidence/evidence.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { rowsOf } from '../../support/tables.js';
import { startWeb } from '../../support/web.js';

const MB = 1_000_000;

interface Row {
  readonly account_id: string | null;
  readonly stored_at: string;
  readonly bytes: number | null;
  readonly evidence: Uint8Array;
}

const setBytes = defineQuery<never, { account_id: string; bytes: number }>((sql, { account_id, bytes }) =>
  sql('run_evidence').where({ account_id }).update({ bytes }),
);

/** Creates an account with two sites and `count` runs, one an hour at each in turn, with evidence of this size. */
async function addRuns(db: Database, plan: string, count: number, bytes: number) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db, plan);
  const sites = [];
  for (const hostname of ['a.example.com', 'b.example.com']) sites.push(await addSite(db, accountId, { hostname }));
  const scan = async () => ({ ...scanReport(), evidence: evidenceFor('C-BOT-01') });
  const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1) });
  for (let hour = 0; hour < count; hour += 1) {
    clock.set(new Date(Date.UTC(2026, 2, 16, hour)).toISOString());
    await performRun({ site: sites[hour % 2]!, trigger: 'SCHEDULED' });
  }
  await db.run(setBytes({ account_id: accountId, bytes }));
  return accountId;
}

async function evidenceOf(db: Database, accountId: string): Promise<readonly Row[]> {
  const rows = (await rowsOf(db, 'run_evidence')) as readonly Row[];
  return rows
    .filter(({ account_id }) => account_id === accountId)
    .sort((a, b) => a.stored_at.localeCompare(b.stored_at));
}

onEitherDatabase(async (t, engine) => {
  t.test('the oldest evidence of an account is deleted, runs are not', async (t) => {
    t.same(
      [PLANS.FREE, PLANS.MONITOR, PLANS.SCALE].map(({ evidenceBytesMax }) => evidenceBytesMax / MB),
      [...[50, 1000, 20_000]],
    );
    const db = await engine.openDb(t);
    const over = await addRuns(db, 'FREE', 6, 12 * MB);
    const full = await addRuns(db, 'FREE', 5, 10 * MB);
    const other = await addRuns(db, 'MONITOR', 6, 12 * MB);
    const before = await evidenceOf(db, over);
    await new EvidenceLimit(db).enforce();
    t.same(await evidenceOf(db, over), before.slice(2), 'of both sites, 48 of 50 MB are left');
    t.equal((await evidenceOf(db, full)).length, 5, 'what fits stays');
    t.equal((await evidenceOf(db, other)).length, 6, 'and what is of another account');
    t.equal((await rowsOf(db, 'runs')).length, 17);
  });

  t.test('much evidence is deleted in batches, and a sweep continues where it stopped', async (t) => {
    const db = await engine.openDb(t);
    const first = await addRuns(db, 'FREE', 1, 1);
    const [row] = await evidenceOf(db, first);
    for (const part of [1, 2]) {
      const checks = Array.from({ length: 350 }, (_, index) => ({ ...row, check_id: `${part} ${index}`, bytes: MB }));
      await db.run(defineQuery<never>((sql) => sql('run_evidence').insert(checks))({}));
    }
    const second = await addRuns(db, 'FREE', 6, 12 * MB);
    const limit = new EvidenceLimit(db);
    const stop = new Error('stopped');
    const pause = async (): Promise<void> => {
      if ((await evidenceOf(db, first)).length <= 51) throw stop;
    };
    await t.rejects(limit.enforce(pause), stop);
    t.equal((await evidenceOf(db, first)).length, 50);
    await limit.enforce();
    t.equal((await evidenceOf(db, second)).length, 4);
  });

  t.test('the account page names the limit', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember(await addAccount(web.db, 'FREE'));
    t.match((await member.get('/account')).text, /<dt>Sites<\/dt><dd><b>0<\/b> of 3.*50 MB/s);
  });
});
