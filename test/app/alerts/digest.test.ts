import type { Test } from 'tap';
import { readDigest } from '../../../src/app/alerts/digest.js';
import { nextDigestTime, planDigests } from '../../../src/app/alerts/digest-planner.js';
import { markAccountRemoved } from '../../../src/app/data/removal-statements.js';
import { UNSCORED_RUNS_MAX } from '../../../src/app/runs/last-scored.js';
import { readPeriod } from '../../../src/app/runs/period.js';
import { AcceptedFailures } from '../../../src/app/triage/accepted-failures.js';
import { laterThan } from '../../../src/platform/clock.js';
import { newId } from '../../../src/platform/ids.js';
import { createLogger } from '../../../src/platform/logging.js';
import { workOff } from '../../../src/queue/steps.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { type AlertScene, ALERTS_URL, openAlertScene } from '../../support/alerts.js';
import { changeDatabase, countStatements } from '../../support/changed-database.js';
import { onEachDatabase, type TestEngine } from '../../support/databases.js';
import { countTurns } from '../../support/count-turns.js';
import { accountData, siteRemoval } from '../../support/removal.js';
import { rowsOf, tablesWith } from '../../support/tables.js';
import { BROKEN, DAY_MS, DOWN, FINE } from '../../support/watched-site.js';

const MINUTE_MS = 60_000;
const WORSE = { ...FINE, b: 'FAIL', c: 'FAIL' } as const;

/** An account with six sites, each run once, whose digest is on from now on. */
async function openDigest(t: Test, engine: TestEngine) {
  const db = await engine.openDb(t);
  const scene = await openAlertScene(t, db);
  const account = await addAccount(db, 'SCALE', scene.clock);
  const sites: Record<string, string> = {};
  for (const name of ['fell', 'rose', 'down', 'same', 'first', 'never']) {
    sites[name] = (await addSite(db, account.id, { hostname: `${name}.example.com` })).id;
  }
  const run = async (name: string, results: typeof FINE): Promise<void> => {
    await scene.run(sites[name] ?? '', results);
    scene.pass(1000);
  };
  await run('fell', FINE);
  await run('rose', WORSE);
  await run('down', FINE);
  await run('same', BROKEN);
  await scene.webhooks.setDigest(account.id, true);
  return { db, scene, account, sites, run };
}

async function plan(db: Database, { clock }: AlertScene, hasMail = true): Promise<void> {
  const logger = createLogger('silent');
  await workOff(planDigests({ db, clock, hasMail, logger }), Infinity);
}

/** Moves the clock to the time of the next digest. */
async function waitForDigest(scene: AlertScene, accountId: string): Promise<void> {
  scene.clock.set((await scene.webhooks.nextDigest(accountId)) ?? '');
}

onEachDatabase(async (t, engine) => {
  t.test('a digest is due on Mondays after seven, at a minute of the account’s own', async (t) => {
    const places = new Set<string>();
    for (let count = 0; count < 100; count += 1) {
      const id = newId('acc');
      const next = nextDigestTime(id, new Date('2026-03-15T12:00:00.000Z'));
      t.match(next.toISOString(), /^2026-03-16T07:\d\d:\d\d\.000Z$/);
      t.equal(nextDigestTime(id, next).getTime() - next.getTime(), 7 * DAY_MS);
      places.add(next.toISOString());
    }
    t.ok(places.size > 80);
  });

  t.test('it says which sites fell, rose, broke or lost their score, each with a link', async (t) => {
    const { db, scene, account, sites, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await run('rose', BROKEN);
    await run('down', DOWN);
    await run('down', DOWN);
    await run('same', BROKEN);
    await run('first', FINE);
    await plan(db, scene);
    t.same(await scene.jobs(), [], 'it is not due yet');
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.equal(scene.mails.length, 1);
    const [mail] = scene.mails;
    t.match(mail, { to: account.email, unsubscribeUrl: `${ALERTS_URL}/alerts` });
    t.equal(mail?.subject, 'Your sites since 2026-03-15: 1 worse, 1 without a score, 1 better, 1 new');
    t.equal(
      mail?.text,
      [
        'What changed on your 6 sites since 2026-03-15:',
        '',
        'Got worse',
        '- fell.example.com: 100 → 50, 2 new failures',
        `  ${ALERTS_URL}/sites/${sites.fell}`,
        '',
        'Without a score',
        '- down.example.com: its last 2 runs have no score (before: 100)',
        `  ${ALERTS_URL}/sites/${sites.down}`,
        '',
        'Got better',
        '- rose.example.com: 50 → 75, 1 fixed',
        `  ${ALERTS_URL}/sites/${sites.rose}`,
        '',
        'First score',
        '- first.example.com: 100',
        `  ${ALERTS_URL}/sites/${sites.first}`,
        '',
        `All of your sites: ${ALERTS_URL}/sites`,
        '',
        '-- ',
        `You get this because the weekly digest is on for your account. Turn it off: ${ALERTS_URL}/alerts`,
        '',
      ].join('\n'),
    );
  });

  t.test('a week without changes has none, and the next one tells of its own week alone', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    for (const change of [null, null, 'rose', 'back'] as const) {
      await waitForDigest(scene, account.id);
      await plan(db, scene);
      await scene.deliverDue();
      scene.pass(1000);
      if (change === 'rose') await run('fell', BROKEN);
      if (change === 'back') await run('down', DOWN);
      for (const name of ['same', 'rose']) await run(name, name === 'same' ? BROKEN : WORSE);
    }
    t.same(
      scene.mails.map(({ subject }) => subject.replace(/^.*: /, '')),
      ['1 worse', '1 better'],
    );
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    scene.pass(1000);
    await run('down', DOWN);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    scene.pass(1000);
    await run('down', FINE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.same(
      scene.mails.slice(2).map(({ subject }) => subject.replace(/^.*: /, '')),
      ['1 without a score', '1 better'],
      'what had no score before is not news, that it has one again is',
    );
    t.match(scene.mails.at(-1)?.text, '- down.example.com: 100, it has a score again');
  });

  t.test('several processes send one digest, and weeks that nobody planned are made up for by one', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    scene.pass(21 * DAY_MS);
    await Promise.all(Array.from({ length: 8 }, () => plan(db, scene)));
    await plan(db, scene);
    t.equal((await scene.jobs()).length, 1);
    const [digest] = (await rowsOf(db, 'digests')) as { since: string; next_at: string }[];
    t.equal(digest?.since, laterThan(scene.clock.now(), -MINUTE_MS));
    t.equal(digest?.next_at, nextDigestTime(account.id, scene.clock.now()).toISOString());
  });

  t.test('it goes by the choice of the account, with alerts by mail or without', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    t.equal(await scene.webhooks.emailAlerts(account.id), false);
    const before = await scene.webhooks.nextDigest(account.id);
    await scene.webhooks.setDigest(account.id, true);
    t.equal(await scene.webhooks.nextDigest(account.id), before, 'on already, it goes on as it was');
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    t.same(
      (await scene.jobs()).map(({ queue, kind }) => `${queue} ${kind}`),
      ['messages MAIL'],
    );
    await scene.webhooks.setDigest(account.id, false);
    await scene.deliverDue();
    t.same(scene.mails, [], 'turned off while it was on its way');
    t.match(await rowsOf(db, 'deliveries'), [{ state: 'failed', problem: 'The weekly digest was turned off.' }]);
    t.equal(await scene.webhooks.nextDigest(account.id), null);
    scene.pass(14 * DAY_MS);
    await plan(db, scene);
    t.same(await scene.jobs(), []);
  });

  t.test('a removed account gets no digest; without a mail server there is none to turn on', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await accountData({ db, clock: scene.clock }).remove(account.id);
    await plan(db, scene);
    t.same(await rowsOf(db, 'deliveries'), []);
    const { webhooks } = await openAlertScene(t, db, { hasMail: false });
    const { id } = await addAccount(db);
    await t.rejects(webhooks.setDigest(id, true), /no mail server/);
  });

  t.test('what is removed before it is sent is not in it, and no message holds what was', async (t) => {
    const { db, scene, account, sites, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await run('rose', FINE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    const removal = siteRemoval({ db, clock: scene.clock });
    await removal.remove(sites.fell ?? '');
    t.same(await tablesWith(db, [sites.fell ?? '']), ['used_ids']);
    await scene.deliverDue();
    t.equal(scene.mails.length, 1);
    t.notMatch(scene.mails[0]?.text, 'fell.example.com');
    t.match(scene.mails[0]?.text, '- rose.example.com');
    t.notMatch(JSON.stringify(await rowsOf(db, 'deliveries')), 'example.com');
  });

  t.test('with nothing left to tell it is not sent; with fewer than six sites there is none', async (t) => {
    const { db, scene, account, sites, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    const removal = siteRemoval({ db, clock: scene.clock });
    await removal.remove(sites.fell ?? '');
    await scene.deliverDue();
    t.same(scene.mails, []);
    t.match(await rowsOf(db, 'deliveries'), [{ state: 'failed', problem: 'The sites that it told of were removed.' }]);
    await run('rose', FINE);
    const due = await scene.webhooks.nextDigest(account.id);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    t.same(await scene.jobs(), [], 'of five sites there is no digest');
    t.not(await scene.webhooks.nextDigest(account.id), due, 'its time moves on');
    await scene.webhooks.setDigest(account.id, false);
    await t.rejects(scene.webhooks.setDigest(account.id, true), { name: 'InputError', message: /6 sites or more/ });
  });

  t.test('a run after it was planned is told of in the next one', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await run('rose', FINE);
    await scene.deliverDue();
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.same(
      scene.mails.map(({ text }) => text.match(/^- .*$/gm)),
      [['- fell.example.com: 100 → 50, 2 new failures'], ['- rose.example.com: 50 → 100, 2 fixed']],
    );
  });

  t.test('a run that is stored late, or by a clock that is behind, is in one of two digests', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    scene.pass(-MINUTE_MS / 2);
    await run('rose', FINE);
    scene.pass(MINUTE_MS);
    await scene.deliverDue();
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.same(
      scene.mails.map(({ text }) => text.match(/^- .*$/gm)),
      [['- fell.example.com: 100 → 50, 2 new failures'], ['- rose.example.com: 50 → 100, 2 fixed']],
    );
  });

  t.test('one that was turned on less than a minute before its time tells of nothing before that', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await scene.webhooks.setDigest(account.id, false);
    await run('fell', WORSE);
    scene.clock.set(laterThan(nextDigestTime(account.id, scene.clock.now()), -MINUTE_MS / 2));
    await scene.webhooks.setDigest(account.id, true);
    const since = scene.clock.now().toISOString();
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    t.same(await scene.jobs(), []);
    t.match(await rowsOf(db, 'digests'), [{ since }]);
  });

  t.test('however many runs there are until it is sent, it tells of its week', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    for (let count = 0; count < UNSCORED_RUNS_MAX; count += 1) await run('fell', FINE);
    await scene.deliverDue();
    t.match(scene.mails[0]?.text, '- fell.example.com: 100 → 50, 2 new failures');
  });

  t.test('an accepted failure makes no site worse, and hides no other', async (t) => {
    const { db, scene, account, sites, run } = await openDigest(t, engine);
    const accepted = new AcceptedFailures({ db, clock: scene.clock });
    for (const name of ['fell', 'down']) {
      await run(name, BROKEN);
      const failure = { accountId: account.id, siteId: sites[name] ?? '', checkId: 'b', errorType: 'MISSING' as const };
      await accepted.accept({ ...failure, reason: 'on purpose' });
    }
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.same(scene.mails[0]?.text.match(/^(?:Got.*|- .+)$/gm), [
      'Got worse',
      '- fell.example.com: 75 → 50, 1 new failure',
    ]);
  });

  t.test('a fall by what could not be determined once is none, and twice in a row is one', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    const leftOpen = { ...FINE, b: 'UNDETERMINED' } as const;
    const digest = async () => {
      await waitForDigest(scene, account.id);
      await plan(db, scene);
      await scene.deliverDue();
      scene.pass(1000);
      return scene.mails.splice(0).map(({ text }) => text.match(/^- .*$/gm));
    };
    await run('fell', leftOpen);
    t.same(await digest(), []);
    await run('fell', leftOpen);
    t.same(await digest(), [['- fell.example.com: 100 → 75']]);
    await run('fell', FINE);
    t.same(await digest(), [['- fell.example.com: 75 → 100']]);
  });

  t.test('a week that ends without a score tells what came before, since the next one compares with it', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    const digest = async () => {
      await waitForDigest(scene, account.id);
      await plan(db, scene);
      await scene.deliverDue();
      scene.pass(1000);
      return scene.mails.splice(0).flatMap(({ text }) => text.match(/^(?:Got.*|Without.*|First.*|- .+)$/gm));
    };
    await run('fell', WORSE);
    await run('fell', DOWN);
    await run('rose', BROKEN);
    await run('rose', DOWN);
    await run('never', DOWN);
    t.same(await digest(), [
      'Got worse',
      '- fell.example.com: 100 → 50, 2 new failures, its last run has no score',
      'Without a score',
      '- rose.example.com: 50 → 75, 1 fixed, its last run has no score',
      '- never.example.com: its last run has no score',
    ]);
    await run('fell', WORSE);
    await run('rose', WORSE);
    await run('rose', DOWN);
    await run('never', FINE);
    await run('never', DOWN);
    t.same(
      await digest(),
      [
        'Got worse',
        '- rose.example.com: 75 → 50, 1 new failure, its last run has no score',
        'Without a score',
        '- never.example.com: its last run has no score (before: 100)',
        'Got better',
        '- fell.example.com: 50, it has a score again',
      ],
      'down before and after, with news in between',
    );
    await run('fell', WORSE);
    await run('rose', WORSE);
    await run('rose', DOWN);
    await run('never', DOWN);
    t.same(await digest(), [], 'and without any');
    await run('rose', BROKEN);
    await run('rose', DOWN);
    t.same(await digest(), ['Without a score', '- rose.example.com: 50 → 75, 1 fixed, its last run has no score']);
  });

  t.test('an account whose digest cannot be read holds up no other, and has its own once it can', async (t) => {
    const { db, scene, account } = await openDigest(t, engine);
    const accounts = [account, await addAccount(db, 'SCALE', scene.clock)];
    for (const [index, { id }] of accounts.entries()) {
      const sites: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        sites.push((await addSite(db, id, { hostname: `n${count}.a${index}.example.com` })).id);
      }
      await scene.webhooks.setDigest(id, true);
      await scene.run(sites[0] ?? '', FINE);
    }
    scene.pass(14 * DAY_MS);
    const digests = (await rowsOf(db, 'digests')) as { account_id: string; next_at: string }[];
    const [first, second] = digests
      .toSorted((a, b) => (a.next_at + a.account_id < b.next_at + b.account_id ? -1 : 1))
      .map(({ account_id }) => account_id);
    const failing = changeDatabase(db, {
      run: (query) => {
        const { account_id, since } = query.params as { account_id?: string; since?: string };
        return account_id === first && since ? Promise.reject(new Error('statement timeout')) : db.run(query);
      },
    });
    const lines: object[] = [];
    const logger = { warn: (fields: object) => void lines.push(fields) };
    const ofDigests = async () =>
      ((await rowsOf(db, 'deliveries')) as { account_id: string }[]).map(({ account_id }) => account_id);
    // The work of a turn is over after the first step: one that fails is none.
    await workOff(planDigests({ db: failing, clock: scene.clock, hasMail: true, logger }), 0);
    t.same(await ofDigests(), [second]);
    t.match(lines, [{ accountId: first, cause: { message: 'statement timeout' } }]);
    await plan(db, scene);
    t.same((await ofDigests()).toSorted(), [first, second].toSorted());
  });

  t.test('without a mail server it waits for one, and can be turned off', async (t) => {
    const { db, scene, account, run } = await openDigest(t, engine);
    await run('fell', WORSE);
    await waitForDigest(scene, account.id);
    await plan(db, scene, false);
    t.same(await rowsOf(db, 'deliveries'), []);
    await plan(db, scene);
    t.equal((await scene.jobs()).length, 1);
    const { webhooks } = await openAlertScene(t, db, { hasMail: false });
    await webhooks.setDigest(account.id, false);
    t.equal(await webhooks.nextDigest(account.id), null);
  });

  t.test('one that was turned on while its account was being removed is not planned', async (t) => {
    const { db, scene, account } = await openDigest(t, engine);
    // Leaves the row of the account until what hangs on it is erased.
    await db.run(markAccountRemoved({ id: account.id, now: scene.clock.now().toISOString() }));
    await t.rejects(scene.webhooks.setDigest(account.id, true), /no such account/);
    const before = await rowsOf(db, 'digests');
    scene.pass(14 * DAY_MS);
    await plan(db, scene);
    t.same(await rowsOf(db, 'digests'), before);
  });

  t.test('many sites are read and compared some at a time, which holds nothing else up', async (t) => {
    const { db, scene, account } = await openDigest(t, engine);
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      ids.push((await addSite(db, account.id, { hostname: `n${count}.example.com` })).id);
    }
    for (const id of ids) await scene.run(id, FINE);
    scene.pass(1000);
    const since = scene.clock.now().toISOString();
    for (const id of ids) await scene.run(id, BROKEN);
    const until = laterThan(scene.clock.now(), 1000);
    const { result, turns } = await countTurns(() => readDigest(db, account.id, { since, until }));
    t.match(result, { sites: 36, groups: [{ kind: 'worse', count: 30 }] });
    t.ok(turns >= 5, `${turns}`);
    const statements = countStatements(db);
    const read = await countTurns(() => readPeriod(statements.counted, account.id, { since, until }));
    t.equal(new Set(read.result.map(({ id }) => id)).size, 36);
    t.equal(statements.count, 5, 'one lists the sites, four read ten of them or fewer');
    t.ok(read.turns >= 3, `${read.turns}`);
  });

  t.test('of many sites it names some, and counts the others', async (t) => {
    const { db, scene, account } = await openDigest(t, engine);
    for (let count = 0; count < 30; count += 1) {
      const { id } = await addSite(db, account.id, { hostname: `n${count}.example.com` });
      await scene.run(id, FINE);
    }
    await waitForDigest(scene, account.id);
    await plan(db, scene);
    await scene.deliverDue();
    t.match(scene.mails[0]?.subject, /: 30 new$/);
    t.match(scene.mails[0]?.text, /^What changed on your 36 sites/);
    t.match(scene.mails[0]?.text, '\nand 5 more\n');
    t.equal(scene.mails[0]?.text.match(/^- /gm)?.length, 25);
  });
});
