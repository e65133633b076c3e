import { DAY_MS } from '../../../src/platform/clock.js';
import type { Test } from 'tap';
import { actAs, ownerActor, readEvents } from '../../../src/app/audit/audit.js';
import { onEachDatabase } from '../../support/databases.js';
import { PUBLIC_HOST } from '../../support/network-scene.js';
import type { Receiver } from '../../support/servers.js';
import {
  BROKEN,
  changesOf,
  deliverFor,
  FINE,
  HOUR_MS,
  messageAt,
  openWatchedSite,
  verify,
} from '../../support/alerts.js';

onEachDatabase(async (t, engine) => {
  const open = async (t: Test) => openWatchedSite(t, await engine.openDb(t));

  t.test('a receiver that is down for a while gets the message when it is back', async (t) => {
    const { scene, receiver, secret, log, breakSite, answer } = await open(t);
    receiver.answer = (response) => response.writeHead(500).end('our own trouble');
    await breakSite();
    await scene.deliverDue();
    t.equal(receiver.messages.length, 1);
    t.match(await log(), [{ state: 'waiting', attempts: 1, answerStatus: 500, problem: /answered 500/ }]);
    t.notMatch(JSON.stringify(await log()), 'our own trouble');

    // Half of the jitter of a tenth: 5.25 s, 5.25 min, 31.5 min.
    const pausesS = [5.25, 315, 1890];
    for (const [index, pauseS] of pausesS.entries()) {
      scene.pass(pauseS * 1000 - 1);
      await scene.deliverDue();
      t.equal(receiver.messages.length, index + 1, 'not too soon');
      if (index === 2) answer(200);
      scene.pass(1);
      await scene.deliverDue();
      t.equal(receiver.messages.length, index + 2);
    }
    t.match(await log(), [{ state: 'delivered', attempts: 4, answerStatus: 200, problem: null, nextAttemptAt: null }]);
    t.equal(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size, 1);
    t.equal(new Set(receiver.messages.map(({ body }) => body)).size, 1);
    // Signed again at the time of the attempt.
    t.equal(verify(messageAt(receiver, 3), secret, scene).type, 'site.changed');
    scene.pass(DAY_MS);
    await scene.deliverDue();
    t.equal(receiver.messages.length, 4);
  });

  t.test('failures that prevent delivery', async (t) => {
    const { scene, receiver, log, breakSite } = await open(t);
    await breakSite();
    const cases: [why: string, answer: Receiver['answer'], expected: object][] = [
      [
        'a redirect, which is not followed',
        (response) => response.writeHead(307, { location: `http://${PUBLIC_HOST}:${receiver.port}/other` }).end(),
        { answerStatus: 307, problem: / 307 .*redirects/ },
      ],
      ['an error', (response) => response.writeHead(400).end(), { answerStatus: 400, problem: / 400 [^.]*\.$/ }],
      ['a connection that breaks', (response) => response.socket?.destroy(), { answerStatus: null, problem: /breaks/ }],
    ];
    for (const [index, [why, answer, expected]] of cases.entries()) {
      receiver.answer = answer;
      await scene.deliverDue();
      t.match(await log(), [{ state: 'waiting', attempts: index + 1, ...expected }], why);
      t.equal(receiver.messages.length, index + 1);
      scene.pass(DAY_MS);
    }
    t.ok(receiver.messages.every(({ path }) => path === '/hook?key=1'));
  });

  t.test('Retry-After is respected up to a day', async (t) => {
    const { scene, receiver, ref, log } = await open(t);
    const cases: [status: number, retryAfter: string, waitS: number][] = [
      [429, '60', 60],
      [503, 'Sun, 15 Mar 2026 12:10:00 GMT', 600],
      [503, '999999', 86_400],
      [429, '-5', 5.25],
      [503, 'soon', 5.25],
      [500, '60', 5.25],
    ];
    for (const [status, retryAfter, waitS] of cases) {
      scene.clock.set('2026-03-15T12:00:00.000Z');
      receiver.answer = (response) => response.writeHead(status, { 'retry-after': retryAfter }).end();
      const before = new Set((await log()).map(({ id }) => id));
      await scene.webhooks.sendTest(ref);
      await scene.deliverDue();
      const sent = (await log()).find(({ id }) => !before.has(id));
      const pauseMs = Date.parse(sent?.nextAttemptAt ?? '') - scene.clock.time.getTime();
      t.equal(pauseMs, waitS * 1000, `${status} ${retryAfter}`);
    }
  });

  t.test('410 turns the webhook off, which fails waiting messages, until it is turned on again', async (t) => {
    const { db, scene, site, receiver, ref, webhook, log, breakSite, answer } = await open(t);
    answer(500);
    await breakSite();
    await scene.deliverDue();
    answer(410);
    await scene.webhooks.sendTest(ref);
    await actAs(ownerActor('192.0.2.7'), () => scene.deliverDue());
    t.same(scene.disabled, [webhook.id]);
    t.same(scene.causes, ['gone']);
    const [event] = (await readEvents(db, ref.accountId)).events.filter((one) => one.event === 'webhook_disabled');
    t.match(event, { subject: webhook.name, actor: 'service', address: null });
    t.match(await scene.webhooks.get(ref), { disabledAt: scene.clock.time.toISOString() });
    const fates = Object.fromEntries((await log()).map((delivery) => [delivery.event, delivery]));
    t.match(fates.test, { state: 'failed', answerStatus: 410, problem: /410/ });
    t.match(fates['site.changed'], { state: 'failed', problem: /turned off/, nextAttemptAt: null });
    scene.pass(6000);
    await scene.deliverDue();
    await scene.run(site.id, FINE);
    t.same(await scene.worker.claim(), [], 'no message for it');

    await scene.webhooks.enable(ref);
    answer(200);
    const before = receiver.messages.length;
    await scene.run(site.id, BROKEN);
    await scene.deliverDue();
    t.same(receiver.messages.slice(before).map(changesOf), [['SCORE_FELL', 'CHECK_FAILING b']]);
  });

  t.test('a message fails after ten attempts; two in a row turn the webhook off', async (t) => {
    const { scene, site, receiver, webhook, ref, log, breakSite, answer } = await open(t);
    answer(500);
    await breakSite();
    await scene.webhooks.setEmailAlerts(ref.accountId, true);
    const started = scene.clock.time.getTime();
    const elapse = async (untilMs: number): Promise<void> => {
      while (scene.clock.time.getTime() - started < untilMs) {
        await scene.deliverDue();
        scene.pass(HOUR_MS / 2);
      }
    };
    await elapse(4 * DAY_MS);
    t.match(await log(), [{ state: 'failed', attempts: 10, nextAttemptAt: null }]);
    t.same(scene.disabled, [], 'one message alone does not turn it off');
    await scene.run(site.id, FINE);
    await elapse(6 * DAY_MS);
    t.same(scene.disabled, [], 'while the second still has attempts left');
    await elapse(8 * DAY_MS);
    t.same(scene.disabled, [webhook.id]);
    t.same(scene.causes, ['failing']);
    const mail = scene.mails.find(({ subject }) => subject.includes('turned off'));
    t.match(mail?.text, 'two messages in a row');
    t.equal(receiver.messages.length, 20);

    await scene.webhooks.enable(ref);
    await scene.webhooks.sendTest(ref);
    await scene.deliverDue();
    t.match((await log())[0], { state: 'waiting', attempts: 1 }, 'it is on again');
  });

  t.test('neither a cancelled message nor one before a delivered one makes two failures in a row', async (t) => {
    const { scene, ref, log, answer } = await open(t);
    const send = async (status: number, deliver: () => Promise<void> = scene.deliverDue) => {
      scene.pass(1000);
      answer(status);
      await scene.webhooks.sendTest(ref);
      await deliver();
    };
    const fail = () => send(500, () => deliverFor(scene, 96));
    await send(500);
    await send(410);
    t.same(scene.causes, ['gone']);
    await scene.webhooks.enable(ref);
    await fail();
    t.match(await log(), [{ attempts: 10 }, { attempts: 1 }, { attempts: 1 }]);
    await send(200);
    await fail();
    t.match((await log()).slice(0, 2), [{ state: 'failed' }, { state: 'delivered' }]);
    t.same(scene.causes, ['gone'], 'it is still on');
  });
});
