import { alertAddress } from '../../../src/app/alerts/deliveries.js';
import { PUBLIC_URL } from '../../support/services.js';
import {
  BROKEN,
  changesOf,
  deliverFor,
  deliveries,
  DOWN,
  FINE,
  HOUR_MS,
  messageAt,
  openWatchedSite,
  verify,
} from '../../support/alerts.js';
import { ALL_OPEN, CHATGPT_BLOCKED, UNKNOWN } from '../../support/reports.js';
import { onEitherDatabase } from '../../support/databases.js';
import { rowsOf } from '../../support/tables.js';

onEitherDatabase(async (t, engine) => {
  t.test('a site that breaks and heals makes exactly these messages, signed by the standard', async (t) => {
    const { scene, site, receiver, secret, log } = await openWatchedSite(t, await engine.openDb(t));
    const history = [FINE, FINE, BROKEN, BROKEN, DOWN, BROKEN, DOWN, DOWN, DOWN, BROKEN, FINE, FINE];
    for (const results of history) {
      await scene.run(site.id, results);
      await scene.deliverDue();
      scene.pass(HOUR_MS);
    }
    t.same(receiver.messages.map(changesOf), [
      ['SCORE_FELL', 'CHECK_FAILING b'],
      ['SITE_UNREACHABLE'],
      ['SITE_REACHABLE'],
      ['CHECK_FIXED b'],
    ]);
    t.equal(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size, 4);
    const delivered = { state: 'delivered', attempts: 1, answerStatus: 204, problem: null, event: 'site.changed' };
    t.match(await log(), Array(4).fill({ ...delivered, hostname: 'shop.example.com' }));

    scene.clock.set('2026-03-15T14:00:00.000Z');
    const first = messageAt(receiver, 0);
    t.same(verify(first, secret, scene), {
      type: 'site.changed',
      timestamp: '2026-03-15T14:00:00.000Z',
      data: {
        site: { id: site.id, hostname: 'shop.example.com' },
        run: {
          ...{ number: 3, reference: 'CR-000003', score: 75, trigger: 'SCHEDULED' },
          finishedAt: '2026-03-15T14:00:00.000Z',
          url: `${PUBLIC_URL}/sites/${site.id}/runs/3`,
        },
        previousScore: 100,
        changes: [
          { kind: 'SCORE_FELL', from: 100, to: 75 },
          { kind: 'CHECK_FAILING', checkId: 'b', title: 'title of b', headline: 'title of b', errorType: 'MISSING' },
        ],
      },
    });
    t.match(first.headers, {
      'content-type': 'application/json',
      'user-agent': 'AgentReadinessScan/1.0',
      'webhook-id': /^msg_[a-z2-7]{20}$/,
      'webhook-timestamp': '1773583200',
    });
    t.equal(first.path, '/hook?key=1');
    t.throws(() => verify({ ...first, body: `${first.body} ` }, secret, scene), /signature/);
  });

  t.test('runs that finish at the same time report a change once', async (t) => {
    const { scene, site, receiver } = await openWatchedSite(t, await engine.openDb(t));
    await scene.run(site.id, FINE);
    await Promise.all(Array.from({ length: 5 }, () => scene.run(site.id, BROKEN)));
    await Promise.all(Array.from({ length: 5 }, () => scene.run(site.id, DOWN)));
    await scene.deliverDue();
    t.same(receiver.messages.map(changesOf), [['SCORE_FELL', 'CHECK_FAILING b'], ['SITE_UNREACHABLE']]);
  });

  t.test('an assistant that is blocked and allowed again makes two messages, though checks stay', async (t) => {
    const { scene, site, receiver } = await openWatchedSite(t, await engine.openDb(t));
    for (const answer of [ALL_OPEN, ALL_OPEN, ALL_OPEN, CHATGPT_BLOCKED, CHATGPT_BLOCKED, UNKNOWN, ALL_OPEN]) {
      scene.answer = answer;
      await scene.run(site.id, FINE);
      await scene.deliverDue();
    }
    const access = { kind: 'ACCESS_CHANGED', assistant: 'ChatGPT' };
    const messages = receiver.messages.map(({ body }) => JSON.parse(body) as unknown);
    t.match(messages, [
      { data: { changes: [{ ...access, before: 'open', now: 'blocked', reason: 'robots.txt, line 7' }] } },
      { data: { changes: [{ ...access, before: 'blocked', now: 'open', reason: null }] } },
    ]);
  });

  t.test('a webhook that is removed while a run finishes does not undo the run', async (t) => {
    const { db, scene, site, add, ref } = await openWatchedSite(t, await engine.openDb(t));
    await scene.run(site.id, FINE);
    for (let round = 0; round < 10; round += 1) {
      const url = `https://hooks.fixture-site.com/${round}`;
      const { webhook } = await add({ url });
      await Promise.all([
        scene.run(site.id, round % 2 === 0 ? BROKEN : FINE),
        scene.webhooks.remove({ ...ref, webhookId: webhook.id }),
      ]);
    }
    t.equal((await rowsOf(db, 'runs')).length, 11);
    t.equal((await db.run(deliveries({}))).filter(({ webhook_id }) => webhook_id === ref.webhookId).length, 10);
  });

  t.test('alerts by e-mail go to the account, once for a change', async (t) => {
    const { db, scene, site, account, ref, breakSite } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.remove(ref);
    t.equal(await alertAddress(db, account.id), null, 'off at first');
    await breakSite();
    t.same(await scene.jobs(), []);
    await scene.webhooks.setEmailAlerts(account.id, true);
    t.equal(await alertAddress(db, account.id), account.email);
    await scene.run(site.id, BROKEN);
    t.same(await scene.jobs(), [], 'what had changed before they were on is not news');
    scene.mailOutcome = 'failed';
    await scene.run(site.id, { ...FINE, c: 'FAIL', d: 'FAIL' });
    await scene.deliverDue();
    scene.mailOutcome = 'sent';
    scene.pass(10_000);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
    t.same(scene.mails[1], scene.mails[0], 'the same at each attempt');
    const subject = /^shop\.example\.com: title of c, .*1 more /;
    t.match(scene.mails[0], { to: account.email, subject, id: /^msg_/ });
    for (const part of [
      ...['- Failed: title of c', '- Failed: title of d', '- Fixed: title of b', 'Score: 50, before: 75 (run 4)'],
      ...[`${PUBLIC_URL}/sites/${site.id}/runs/4`, `${PUBLIC_URL}/alerts`],
    ]) {
      t.match(scene.mails[0]?.text, part);
    }
    await scene.webhooks.setEmailAlerts(account.id, false);
    await scene.run(site.id, FINE);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
  });

  t.test('a message has no label of the caller', async (t) => {
    const { scene, site, account, ref } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.remove(ref);
    await scene.webhooks.setEmailAlerts(account.id, true);
    await scene.run(site.id, FINE);
    await scene.run(site.id, BROKEN, { label: 'canary-label', commit: `4f2a1c9${'d'.repeat(33)}` });
    await scene.run(site.id, FINE, { label: 'canary-label', commit: 'canary-commit' });
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
    t.notMatch(JSON.stringify(scene.mails), /canary|4f2a1c9/);
  });

  t.test('a mail on its way ends with the alerts, with a refused address, or after ten attempts', async (t) => {
    const { db, scene, site, account, ref } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.remove(ref);
    await scene.webhooks.setEmailAlerts(account.id, true);
    const states = async () => (await db.run(deliveries({}))).map(({ state, attempts }) => `${state} ${attempts}`);
    await scene.run(site.id, FINE);
    await scene.run(site.id, BROKEN);
    scene.mailOutcome = 'refused';
    await scene.deliverDue();
    t.same(await states(), ['failed 1']);
    scene.mailOutcome = 'failed';
    scene.pass(1000);
    await scene.run(site.id, FINE);
    await deliverFor(scene, 96);
    t.same(await states(), ['failed 1', 'failed 10']);
    await scene.run(site.id, BROKEN);
    await scene.webhooks.setEmailAlerts(account.id, false);
    await scene.deliverDue();
    t.same(await states(), ['failed 1', 'failed 10', 'failed 1']);
    t.equal(scene.mails.length, 11);
  });
});
