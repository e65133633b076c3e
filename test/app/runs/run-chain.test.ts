import { siteRemoval } from '../../support/removal.js';
import { createHash } from 'node:crypto';
import { createRunPerformer, type EndedRun } from '../../../src/app/runs/run-performer.js';
import { ChainSweep } from '../../../src/app/runs/chain-sweep.js';
import { RUN_CHAIN } from '../../../src/app/runs/run-chain.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { History } from '../../../src/app/runs/history.js';
import { type ChainReport, verifyChains } from '../../../src/app/runs/verify-chains.js';
import { entityTagOf } from '../../../src/platform/http/conditional.js';
import { Slots } from '../../../src/platform/slots.js';
import { workOff } from '../../../src/queue/steps.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock, textOf } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { connectRaw } from '../../support/raw-connection.js';
import { dropGuards } from '../../support/drop-guards.js';
import { runCommand } from '../../support/program.js';
import { asOwner } from '../../support/as-owner.js';

/** A site of an account, with `count` runs. */
async function prepare(db: Database, count: number) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db);
  const { id: siteId } = await addSite(db, accountId);
  const ended: EndedRun[] = [];
  const performRun = createRunPerformer({
    ...{ db, clock, slots: new Slots(1), scan: async () => scanReport() },
    observer: { finished: (run) => ended.push(run), failed: () => undefined, flipped: () => undefined },
  });
  const runs = createRuns({ db, clock, performRun });
  const run = () => runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
  for (let started = 0; started < count; started += 1) await run();
  const raw = await connectRaw(db.url);
  return {
    ...{ clock, accountId, siteId, runs, run, ended, raw },
    /** What somebody does who can do anything to the database. */
    tamper: async (...statements: string[]) => {
      await dropGuards(db.url);
      for (const sql of statements) await raw.exec(sql.replaceAll('{site}', siteId));
    },
    verify: async (expected?: string) => (await reportsOf(db, siteId, expected))[0],
    sweep: async () => {
      const broken: number[] = [];
      await workOff(new ChainSweep(db, (_, number) => broken.push(number)).begin(), Infinity);
      return broken;
    },
  };
}

async function reportsOf(db: Database, siteId?: string, expected?: string): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  for await (const report of verifyChains(db, { siteId, expected })) reports.push(report);
  return reports;
}

const FORGE = (number: number): string =>
  `UPDATE runs SET body = CAST(replace(CAST(body AS text), 'PASS', 'FAIL') AS blob) WHERE number = ${number}`;
const FORGE_POSTGRES = (number: number): string =>
  `UPDATE runs SET body = convert_to(replace(convert_from(body, 'UTF8'), 'PASS', 'FAIL'), 'UTF8') WHERE number = ${number}`;

onEachDatabase(async (t, engine) => {
  const forge = engine.name === 'sqlite' ? FORGE : FORGE_POSTGRES;

  t.test('each run is linked to the one before by the documented bytes', async (t) => {
    const db = await engine.openDb(t);
    const { raw, ended, siteId, runs, accountId, verify } = await prepare(db, 3);
    t.teardown(() => raw.close());
    let before = `first of ${siteId}`;
    for (const { digest, chainBrokenAt, response } of ended) {
      const { number, reference } = response.run;
      const { body } = await runs.byNumber({ accountId, siteId, number });
      const text = `agent-readiness run chain 1\nfirst\n${siteId}\n${number}\n${reference}\n${before}\n${textOf(body)}`;
      before = createHash('sha256').update(text).digest('hex');
      t.same({ digest, chainBrokenAt }, { digest: before, chainBrokenAt: null });
    }
    const supplementHead = ended[2]?.supplementDigest ?? '';
    const proven = {
      ...{ site: siteId, runs: 3, head: before, supplementHead, verdict: 'proven', firstUnproven: null },
      ...{ isSupplementBroken: false, coveredFrom: 1, releases: [{ release: null, first: 1, last: 3, runs: 3 }] },
    };
    t.same(await verify(), proven);
    t.same(await verify(ended[1]?.digest ?? ''), { ...proven, hasExpected: true });
    t.same(await verify(ended[1]?.supplementDigest ?? ''), { ...proven, hasExpected: true });
    t.same(await verify('0'.repeat(64)), { ...proven, hasExpected: false });
    const history = asOwner(db, new History({ db, clock: new TestClock() }), 'proof');
    t.same(await history.proof({ accountId, siteId }, 3), {
      run: { state: 'proven', digest: before, epochId: 'first' },
      supplement: { state: 'proven', digest: supplementHead, epochId: 'first' },
    });
  });

  t.test('runs of another version are linked by the next run, or by the sweep, and never again', async (t) => {
    const db = await engine.openDb(t);
    const { raw, run, tamper, verify, sweep, ended } = await prepare(db, 60);
    t.teardown(() => raw.close());
    await tamper(`DELETE FROM run_chain WHERE number > 55`);
    t.match(await verify(), { verdict: 'unlinked', firstUnproven: 56, head: ended[54]?.digest });
    await run();
    t.match(await verify(), { runs: 61, verdict: 'proven', head: ended[60]?.digest });
    await tamper(`DELETE FROM run_chain`);
    await run();
    t.equal(ended[61]?.digest, null, 'too many at once: the run is stored without a link');
    t.match(await verify(), { verdict: 'unlinked', firstUnproven: 51 });
    t.same(await sweep(), []);
    t.match(await verify(ended[60]?.digest ?? ''), { runs: 62, verdict: 'proven', hasExpected: true });
    const links = await raw.read('SELECT * FROM run_chain ORDER BY number');
    await sweep();
    t.same(await raw.read('SELECT * FROM run_chain ORDER BY number'), links);
  });

  t.test('a run that finishes before the sweep has its site breaks no chain', async (t) => {
    const db = await engine.openDb(t);
    const { raw, run, tamper, verify } = await prepare(db, 2);
    t.teardown(() => raw.close());
    await tamper(`DELETE FROM run_chain WHERE number = 2`);
    const late = changeDatabase(db, {
      transaction: async (work) => {
        await run();
        return db.transaction(work);
      },
    });
    const broken: number[] = [];
    await workOff(new ChainSweep(late, (_, number) => broken.push(number)).begin(), Infinity);
    t.same(broken, []);
    t.match(await verify(), { runs: 3, verdict: 'proven' });
  });

  t.test('a sweep that is stopped at its first step has told what it found', async (t) => {
    const db = await engine.openDb(t);
    const { raw, tamper } = await prepare(db, 3);
    t.teardown(() => raw.close());
    await tamper(forge(2), `DELETE FROM run_chain WHERE number = 3`);
    const broken: number[] = [];
    const steps = new ChainSweep(db, (_, number) => broken.push(number)).begin();
    await steps.next();
    await steps.return();
    t.same(broken, [2]);
  });

  t.test('what somebody changes who drops the guards is found, and named', async (t) => {
    const cases: readonly [what: string, sql: string, firstUnproven: number][] = [
      ['a changed body', forge(2), 2],
      ['a changed reference', `UPDATE runs SET reference = 'CR-000009' WHERE number = 3`, 3],
      ['a changed score', `UPDATE runs SET score = 99 WHERE number = 2`, 2],
      ['a score that was taken away', `UPDATE runs SET score = NULL WHERE number = 3`, 3],
      ['changed results', `UPDATE runs SET results = replace(results, 'PASS', 'FAIL') WHERE number = 4`, 4],
      ['a changed trigger', `UPDATE runs SET trigger = 'API' WHERE number = 2`, 2],
      ['a changed start', `UPDATE runs SET started_at = '2020-01-01T00:00:00.000Z' WHERE number = 2`, 2],
      ['a changed finish', `UPDATE runs SET finished_at = '2020-01-01T00:00:00.000Z' WHERE number = 2`, 2],
      ['a changed entity tag', `UPDATE runs SET etag = '"x"' WHERE number = 2`, 2],
      ['a missing link', `DELETE FROM run_chain WHERE number = 3`, 3],
      ['a changed link', `UPDATE run_chain SET digest = '${'0'.repeat(64)}' WHERE number = 2`, 2],
      ['a changed text', `UPDATE texts SET body = 'forged'`, 1],
      ['another epoch', `UPDATE epochs SET id = 'other'`, 1],
      ['a missing run', `DELETE FROM run_chain WHERE number = 4; DELETE FROM runs WHERE number = 4`, 4],
      ['a last run that is missing', `DELETE FROM runs WHERE number = 5`, 5],
      ['a counter that was taken back', `UPDATE sites SET run_counter = 4`, 5],
    ];
    for (const [what, sql, firstUnproven] of cases) {
      const db = await engine.openDb(t);
      const { raw, run, tamper, verify, ended, accountId, siteId, runs } = await prepare(db, 5);
      await tamper(...sql.split('; '));
      t.match(await verify(), { verdict: 'broken', firstUnproven }, what);
      if (what !== 'a counter that was taken back') await run();
      t.match(await verify(), { verdict: 'broken', firstUnproven }, `${what}, and a run more`);
      if (what === 'a changed body') {
        t.ok(await runs.byNumber({ accountId, siteId, number: 2 }), 'reads go on');
        const broken: number[] = [];
        const history = asOwner(
          db,
          new History({ db, clock: new TestClock(), onBrokenChain: (_, number) => broken.push(number) }),
          'proof',
        );
        t.match(await history.proof({ accountId, siteId }, 2), { run: { state: 'broken' } });
        t.same(broken, [2]);
        t.match(ended[5], { digest: /^[0-9a-f]{64}$/, chainBrokenAt: null });
        await tamper(forge(6));
        await run();
        t.match(ended[6], { digest: /^[0-9a-f]{64}$/, chainBrokenAt: 6 }, 'a run sees whether the one before is whole');
      }
      await raw.close();
    }
  });

  t.test('a run whose site is removed while it is looked at is gone, not broken', async (t) => {
    const db = await engine.openDb(t);
    const { raw, accountId, siteId, clock } = await prepare(db, 1);
    t.teardown(() => raw.close());
    const removal = siteRemoval({ db, clock });
    let isFound = false;
    const late = changeDatabase(db, {
      run: async (query) => {
        const rows = await db.run(query);
        if (!isFound) await removal.remove(siteId);
        isFound = true;
        return rows;
      },
    });
    const broken: number[] = [];
    const history = asOwner(
      db,
      new History({ db: late, clock, onBrokenChain: (_, number) => broken.push(number) }),
      'proof',
    );
    await t.rejects(history.proof({ accountId, siteId }, 1), { code: 'site_not_found' });
    t.same(broken, []);
  });

  t.test('a chain that was made again is found by a digest of before', async (t) => {
    const db = await engine.openDb(t);
    const { raw, tamper, verify, sweep, ended, accountId, siteId, runs } = await prepare(db, 4);
    t.teardown(() => raw.close());
    await tamper(forge(2), `DELETE FROM run_chain WHERE number > 1`);
    const etag = entityTagOf((await runs.byNumber({ accountId, siteId, number: 2 })).body);
    await tamper(`UPDATE runs SET results = replace(results, 'PASS', 'FAIL'), etag = '${etag}' WHERE number = 2`);
    await sweep();
    t.match(await verify(), { verdict: 'proven' }, 'the chain alone does not tell');
    t.match(await verify(ended[0]?.digest ?? ''), { hasExpected: true });
    const { exitCode, stdout, stderr } = await runCommand(['verify', siteId, '--expect', ended[3]?.digest ?? ''], {
      DATABASE_URL: db.url,
    });
    t.equal(exitCode, 1);
    t.match(
      stdout,
      /^site {2,}runs {2,}head {2,}verdict {2,}from run {2,}notes, gains, release {2,}last release\nsite_\w+ +4 +[0-9a-f]{64} +proven +- +covered from run 1 +-\n$/,
    );
    t.match(stderr, /Nothing in the chain has the expected digest/);
  });

  t.test('verify answers for all sites, in JSON and by its exit code', async (t) => {
    const db = await engine.openDb(t);
    const { raw, accountId, siteId, tamper } = await prepare(db, 2);
    t.teardown(() => raw.close());
    const { id: empty } = await addSite(db, accountId, { hostname: 'blog.example.com' });
    const environment = { DATABASE_URL: db.url };
    const good = await runCommand(['verify', '--json'], environment);
    t.equal(good.exitCode, 0);
    t.match(
      new Map((JSON.parse(good.stdout) as ChainReport[]).map((report) => [report.site, report])),
      new Map([
        [siteId, { runs: 2, verdict: 'proven' }],
        [empty, { runs: 0, head: null, verdict: 'proven' }],
      ]),
    );
    await tamper(forge(1));
    const broken = await runCommand(['verify', siteId, '--json'], environment);
    t.equal(broken.exitCode, 1);
    t.match(JSON.parse(broken.stdout), [{ site: siteId, verdict: 'broken', firstUnproven: 1 }]);
    t.match(await runCommand(['verify'], environment), { exitCode: 1, stdout: /BROKEN +1 +covered from run 1 +-\n/ });
    for (const args of [['site_x'], ['acc_x'], ['--expect', '0'.repeat(64)], [siteId, '--expect', 'x']]) {
      t.match(await runCommand(['verify', ...args], environment), { exitCode: 2, stdout: '' }, args.join(' '));
    }
  });

  t.test('no two contents are encoded alike', async (t) => {
    const link = {
      epochId: 'first',
      siteId: 's',
      number: 1,
      reference: 'CR-000001',
      before: null,
      content: Buffer.from('1'),
    };
    const others = [
      { ...link, number: 11, content: Buffer.from('') },
      { ...link, before: 'x' },
      { ...link, reference: '1' },
      { ...link, epochId: 'second' },
    ];
    t.equal(new Set([link, ...others].map((one) => RUN_CHAIN.digest(one))).size, 5);
  });
});
