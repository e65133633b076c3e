import type { Test } from 'tap';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Result } from '../../src/domain/vocabulary.js';
import { createSites } from '../../src/service/sites.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';
import { type AlertScene, type AlertSceneOptions, ALERTS_URL, openAlertScene } from '../support/alerts.js';
import { addAccount, addSite } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { PUBLIC_ADDRESS, PUBLIC_HOST } from '../support/network-scene.js';
import { type ReceivedMessage, type Receiver, startReceiver } from '../support/receiver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const FINE: Readonly<Record<string, Result>> = { a: 'PASS', b: 'PASS', c: 'PASS', d: 'PASS' };
const BROKEN: Readonly<Record<string, Result>> = { ...FINE, b: 'FAIL' };
const DOWN: Readonly<Record<string, Result>> = {
  a: 'UNDETERMINED',
  b: 'UNDETERMINED',
  c: 'UNDETERMINED',
  d: 'UNDETERMINED',
};

/** An account with a site, and a webhook at a receiver. */
async function prepare(t: Test, db: Database, options: AlertSceneOptions = {}) {
  const receiver = await startReceiver(t, PUBLIC_ADDRESS);
  const scene = await openAlertScene(t, db, { ...options, ports: [receiver.port, ...(options.ports ?? [])] });
  const account = await addAccount(db, 'MONITOR', scene.clock);
  const site = await addSite(db, account.id);
  const url = `http://${PUBLIC_HOST}:${receiver.port}/hook?key=1`;
  const { webhook, secret } = await scene.webhooks.add({ accountId: account.id, url });
  const ref = { accountId: account.id, webhookId: webhook.id };
  const log = async () => (await scene.webhooks.log({ ...ref, limit: 50 })).deliveries;
  return { receiver, scene, account, site, webhook, secret, ref, log };
}

/** What the library for receivers makes of a message, at the time of the test's clock. */
function verify({ body, headers }: ReceivedMessage, secret: string, { clock }: AlertScene): SiteChanged {
  const realNow = Date.now;
  Date.now = () => clock.time.getTime();
  try {
    return new Verifier(secret).verify(body, headers as Record<string, string>) as SiteChanged;
  } finally {
    Date.now = realNow;
  }
}

function messageAt({ messages }: Receiver, index: number): ReceivedMessage {
  const message = messages[index];
  if (!message) throw new Error(`No message ${index} came.`);
  return message;
}

interface SiteChanged {
  readonly type: string;
  readonly data: { readonly changes: readonly { readonly kind: string; readonly checkId?: string }[] };
}

function changesOf(message: ReceivedMessage): string[] {
  return (JSON.parse(message.body) as SiteChanged).data.changes.map(({ kind, checkId }) =>
    [kind, checkId].join(' ').trim(),
  );
}

const deliveries = defineQuery<{
  id: string;
  state: string;
  attempts: number;
  lease: string | null;
  webhook_id: string | null;
}>((sql) => sql('deliveries').select('id', 'state', 'attempts', 'lease', 'webhook_id').orderBy('created_at'));

/** Lets so many hours pass, hour by hour. */
async function deliverFor(scene: AlertScene, hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await scene.deliverDue();
    scene.pass(HOUR_MS);
  }
}

/** Breaks the site, so that one message is on its way. */
async function breakSite({ scene, site }: { readonly scene: AlertScene; readonly site: { readonly id: string } }) {
  await scene.run(site.id, FINE);
  await scene.run(site.id, BROKEN);
}

onEachDatabase(async (t, engine) => {
  t.test('a site that breaks and heals makes exactly these messages, signed by the standard', async (t) => {
    const { scene, site, receiver, secret, log } = await prepare(t, await engine.openDb(t));
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
    t.match(
      await log(),
      Array(4).fill({ state: 'delivered', attempts: 1, answerStatus: 204, problem: null, event: 'site.changed' }),
    );
    t.equal((await log())[0]?.hostname, 'shop.example.com');

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
          url: `${ALERTS_URL}/sites/${site.id}/runs/3`,
        },
        previousScore: 100,
        changes: [
          { kind: 'SCORE_FELL', from: 100, to: 75 },
          { kind: 'CHECK_FAILING', checkId: 'b', title: 'title of b', errorType: 'MISSING' },
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

  t.test('a receiver that is down for a while gets the message when it is back', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver, secret, log } = prepared;
    receiver.answer = (response) => response.writeHead(500).end('our own trouble');
    await breakSite(prepared);
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
      if (index === 2) receiver.answer = (response) => response.writeHead(200).end();
      scene.pass(1);
      await scene.deliverDue();
      t.equal(receiver.messages.length, index + 2);
    }
    t.match(await log(), [{ state: 'delivered', attempts: 4, answerStatus: 200, problem: null, nextAttemptAt: null }]);
    t.equal(new Set(receiver.messages.map(({ headers }) => headers['webhook-id'])).size, 1);
    t.equal(new Set(receiver.messages.map(({ body }) => body)).size, 1);
    t.equal(
      verify(messageAt(receiver, 3), secret, scene).type,
      'site.changed',
      'signed anew at the time of the attempt',
    );
    scene.pass(DAY_MS);
    await scene.deliverDue();
    t.equal(receiver.messages.length, 4);
  });

  t.test('what a message is not delivered by', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t), { deadlineMs: 300 });
    const { scene, receiver, log } = prepared;
    await breakSite(prepared);
    const cases: [why: string, answer: Receiver['answer'], expected: object][] = [
      [
        'a redirect, which is not followed',
        (response) => response.writeHead(307, { location: `http://${PUBLIC_HOST}:${receiver.port}/other` }).end(),
        { answerStatus: 307, problem: /Redirects are not followed/ },
      ],
      [
        'header fields that come drop by drop',
        (response) => dripHeaders(response),
        { answerStatus: null, problem: /in time/ },
      ],
      ['no answer at all', () => undefined, { answerStatus: null, problem: /in time/ }],
      ['a connection that breaks', (response) => response.socket?.destroy(), { answerStatus: null, problem: /breaks/ }],
      [
        'header fields without an end',
        (response) => floodHeaders(response),
        { answerStatus: null, problem: /header fields/ },
      ],
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

  t.test('the status decides, whatever its body does', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver, ref, log } = prepared;
    const answers: Receiver['answer'][] = [
      (response) => {
        response.writeHead(200);
        response.write('the rest never comes');
      },
      (response) => {
        response.writeHead(200);
        for (let chunks = 0; chunks < 200; chunks += 1) response.write(Buffer.alloc(65_536));
      },
      (response) => {
        response.writeHead(202, { 'content-length': '1000' }).flushHeaders();
        setImmediate(() => response.socket?.destroy());
      },
    ];
    for (const answer of answers) {
      receiver.answer = answer;
      await scene.webhooks.sendTest(ref);
      await scene.deliverDue();
    }
    t.match(await log(), Array(3).fill({ event: 'test', state: 'delivered', attempts: 1, hostname: null }));
  });

  t.test('Retry-After is heeded up to a day', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver, ref, log } = prepared;
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
      const { id } = await scene.webhooks.sendTest(ref);
      await scene.queue.perform(id);
      const sent = (await log()).find((delivery) => delivery.id === id);
      t.equal(
        Date.parse(sent?.nextAttemptAt ?? '') - scene.clock.time.getTime(),
        waitS * 1000,
        `${status} ${retryAfter}`,
      );
    }
  });

  t.test('410 turns the webhook off, and with it what waits; on again it gets what comes then', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, site, receiver, ref, webhook, log } = prepared;
    receiver.answer = (response) => response.writeHead(500).end();
    await breakSite(prepared);
    await scene.deliverDue();
    receiver.answer = (response) => response.writeHead(410).end();
    await scene.webhooks.sendTest(ref);
    await scene.deliverDue();
    t.same(scene.disabled, [webhook.id]);
    t.match(await scene.webhooks.get(ref), { disabledAt: scene.clock.time.toISOString() });
    t.match(
      new Map((await log()).map((delivery) => [delivery.event, delivery])),
      new Map<string, object>([
        ['test', { state: 'failed', answerStatus: 410, problem: /410/ }],
        ['site.changed', { state: 'failed', problem: /turned off/, nextAttemptAt: null }],
      ]),
    );
    await scene.run(site.id, FINE);
    t.equal(scene.offered.filter(({ notBefore }) => notBefore <= scene.clock.now()).length, 0, 'no message for it');
    await t.rejects(scene.webhooks.sendTest(ref), /turned off/);
    await t.rejects(scene.webhooks.sendAgain({ ...ref, deliveryId: (await log())[0]?.id ?? '' }), /turned off/);

    await scene.webhooks.enable(ref);
    receiver.answer = (response) => response.writeHead(200).end();
    const before = receiver.messages.length;
    await scene.run(site.id, BROKEN);
    await scene.deliverDue();
    t.same(receiver.messages.slice(before).map(changesOf), [['SCORE_FELL', 'CHECK_FAILING b']]);
  });

  t.test(
    'a message is given up after ten attempts; a webhook that takes nothing for five days is turned off',
    async (t) => {
      const prepared = await prepare(t, await engine.openDb(t));
      const { scene, site, receiver, webhook, ref, log } = prepared;
      receiver.answer = (response) => response.writeHead(500).end();
      await breakSite(prepared);
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
      t.same(scene.disabled, [], 'nor five days, while a message still has attempts left');
      await elapse(8 * DAY_MS);
      t.same(scene.disabled, [webhook.id]);
      t.equal(receiver.messages.length, 20);

      await scene.webhooks.enable(ref);
      const { id } = await scene.webhooks.sendTest(ref);
      await scene.deliverDue();
      t.match(
        (await log()).find((delivery) => delivery.id === id),
        { state: 'waiting', attempts: 1 },
        'the days count anew',
      );
    },
  );

  t.test('a message that gets through ends the bad days', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver, ref } = prepared;
    receiver.answer = (response) => response.writeHead(500).end();
    await scene.webhooks.sendTest(ref);
    await scene.deliverDue();
    scene.pass(4 * DAY_MS);
    receiver.answer = (response) => response.writeHead(200).end();
    await scene.deliverDue();
    receiver.answer = (response) => response.writeHead(500).end();
    await scene.webhooks.sendTest(ref);
    await deliverFor(scene, 96);
    t.same(scene.disabled, []);
  });

  t.test('a name that leads into the private network by now gets no connection', async (t) => {
    const forbidden = await startReceiver(t, '127.0.0.1');
    let address = PUBLIC_ADDRESS;
    const names = { 'rebind.fixture-site.com': { A: () => [address] } };
    const prepared = await prepare(t, await engine.openDb(t), { names, ports: [forbidden.port] });
    const { scene, site, ref, account } = prepared;
    await scene.webhooks.remove(ref);
    const url = `http://rebind.fixture-site.com:${forbidden.port}/`;
    const { webhook } = await scene.webhooks.add({ accountId: account.id, url });
    address = '127.0.0.1';
    await breakSite(prepared);
    await scene.deliverDue();
    const { deliveries: logged } = await scene.webhooks.log({ ...ref, webhookId: webhook.id, limit: 5 });
    t.match(logged, [{ state: 'waiting', attempts: 1, answerStatus: null }]);
    t.equal(logged[0]?.problem, 'The address cannot be reached from here: it must lead to a public server.');
    t.equal(forbidden.connectionCount(), 0);
    t.ok(site);
  });

  t.test('a webhook is at a public https address, or where the operator allows it', async (t) => {
    const db = await engine.openDb(t);
    const names = {
      'inside.fixture-site.com': { A: ['10.0.0.7'] },
      'hooks.fixture-site.com': { A: ['93.184.215.14'] },
    };
    const { scene, account, receiver } = await prepare(t, db, { names });
    const add = (url: string) => scene.webhooks.add({ accountId: account.id, url });
    const https = 'Give an https address, such as https://example.com/webhooks.';
    const refused = 'Messages cannot be sent to this address from here. Give the https address of a public server.';
    const cases: [url: string, message: string][] = [
      ['', https],
      ['example.com/hook', https],
      ['ftp://hooks.fixture-site.com/', https],
      ['http://hooks.fixture-site.com/', https],
      ['https://127.0.0.1/', refused],
      ['https://[::1]/', refused],
      ['https://2130706433/', refused],
      ['https://169.254.169.254/latest', refused],
      ['https://93.184.215.14/', refused],
      ['https://localhost/', refused],
      ['https://inside.fixture-site.com/', refused],
      ['https://user:word@hooks.fixture-site.com/', refused],
      ['https://hooks.fixture-site.com:8443/', refused],
      [`https://hooks.fixture-site.com/${'x'.repeat(2048)}`, 'Give an address of at most 2048 characters.'],
      [`http://${PUBLIC_HOST}:${receiver.port}/hook?key=1#again`, 'The account has a webhook at this address already.'],
    ];
    for (const [url, message] of cases) await t.rejects(add(url), { message, field: 'url' }, url);
    const { webhook, secret } = await add(' https://hooks.fixture-site.com/a?b=c#d ');
    t.equal(webhook.url, 'https://hooks.fixture-site.com/a?b=c');
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  t.test('of many added at once five are taken', async (t) => {
    const { scene, account } = await prepare(t, await engine.openDb(t));
    const add = (n: number) =>
      scene.webhooks.add({ accountId: account.id, url: `https://hooks.fixture-site.com/${n}` }).then(
        () => true,
        () => false,
      );
    const added = await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)));
    t.equal(added.filter(Boolean).length, 4);
    t.equal((await scene.webhooks.list(account.id)).length, 5);
  });

  t.test('another account sees and touches nothing of it', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, ref } = prepared;
    await breakSite(prepared);
    const { id: accountId } = await addAccount(db);
    const foreign = { ...ref, accountId };
    const [delivery] = (await scene.webhooks.log({ ...ref, limit: 1 })).deliveries;
    const calls: [name: string, call: () => Promise<unknown>][] = [
      ['get', () => scene.webhooks.get(foreign)],
      ['rotateSecret', () => scene.webhooks.rotateSecret(foreign)],
      ['enable', () => scene.webhooks.enable(foreign)],
      ['remove', () => scene.webhooks.remove(foreign)],
      ['sendTest', () => scene.webhooks.sendTest(foreign)],
      ['sendAgain', () => scene.webhooks.sendAgain({ ...foreign, deliveryId: delivery?.id ?? '' })],
      ['log', () => scene.webhooks.log({ ...foreign, limit: 1 })],
      ['an id off its grammar', () => scene.webhooks.get({ ...ref, webhookId: "wh_' OR 1=1" })],
      ['a delivery that is none', () => scene.webhooks.sendAgain({ ...ref, deliveryId: 'msg_x' })],
      ['a page after none', () => scene.webhooks.log({ ...ref, limit: 1, before: 'msg_x' })],
    ];
    for (const [name, call] of calls) await t.rejects(call(), { code: 'not_found' }, name);
    t.same(await scene.webhooks.list(accountId), []);
    t.match(await scene.webhooks.list(ref.accountId), [{ id: ref.webhookId, disabledAt: null }]);
  });

  t.test('the log is read page by page, the latest first', async (t) => {
    const { scene, ref } = await prepare(t, await engine.openDb(t));
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await scene.webhooks.sendTest(ref)).id);
      scene.pass(1);
    }
    const first = await scene.webhooks.log({ ...ref, limit: 3 });
    t.same(
      first.deliveries.map(({ id }) => id),
      ids.slice(0, 3),
    );
    t.equal(first.hasMore, true);
    const second = await scene.webhooks.log({ ...ref, limit: 3, before: ids[2] ?? '' });
    t.same(
      second.deliveries.map(({ id }) => id),
      ids.slice(3),
    );
    t.equal(second.hasMore, false);
  });

  t.test('sent again it is the same message under the same id, signed with the secret of now', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver, ref, log, secret } = prepared;
    await breakSite(prepared);
    await scene.deliverDue();
    const rotated = await scene.webhooks.rotateSecret(ref);
    t.not(rotated.secret, secret);
    const deliveryId = (await log())[0]?.id ?? '';
    t.match(await scene.webhooks.sendAgain({ ...ref, deliveryId }), { state: 'waiting', hostname: 'shop.example.com' });
    await scene.deliverDue();
    const [first, second] = [messageAt(receiver, 0), messageAt(receiver, 1)];
    t.equal(second.headers['webhook-id'], first.headers['webhook-id']);
    t.equal(second.body, first.body);
    t.ok(verify(second, rotated.secret, scene));
    t.throws(() => verify(second, secret, scene));
  });

  t.test('30 tests and repeats an hour, and no more', async (t) => {
    const { scene, ref } = await prepare(t, await engine.openDb(t));
    scene.clock.set('2026-03-15T12:45:00.000Z');
    for (let count = 0; count < 30; count += 1) await scene.webhooks.sendTest(ref);
    await t.rejects(scene.webhooks.sendTest(ref), { name: 'TooSoonError', retryAfterS: 900, message: /15 minutes/ });
    scene.pass(900_000);
    t.ok(await scene.webhooks.sendTest(ref));
  });

  t.test('two workers deliver once', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver } = prepared;
    await breakSite(prepared);
    const [work] = scene.offered;
    await Promise.all(Array.from({ length: 5 }, () => scene.queue.perform(work?.key ?? '')));
    t.equal(receiver.messages.length, 1);
    await scene.queue.perform(work?.key ?? '');
    t.equal(receiver.messages.length, 1);
  });

  t.test('killed between the answer and its note, the message is sent again under the same id', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, receiver, log } = prepared;
    await breakSite(prepared);
    // The note is never made: the receiver's answer comes, and the process is gone.
    let isKilled = false;
    receiver.answer = (response) => {
      isKilled = true;
      response.writeHead(200).end();
    };
    const dying = await openAlertScene(
      t,
      {
        ...{ dialect: db.dialect, url: db.url, close: () => db.close() },
        run: (query) => db.run(query),
        transaction: (work) => (isKilled ? Promise.reject(new Error('killed')) : db.transaction(work)),
      },
      { ports: [receiver.port] },
    );
    await dying.queue.perform(scene.offered[0]?.key ?? '');
    t.equal(dying.crashes.length, 1);
    t.match(await log(), [{ state: 'waiting', attempts: 1 }]);

    scene.pass(119_000);
    t.same(await scene.queue.sweep(), [], 'while its lease lasts it is left alone');
    scene.pass(1000);
    scene.offered.push(...(await scene.queue.sweep()));
    await scene.deliverDue();
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id']);
    t.equal(ids.length, 2);
    t.equal(new Set(ids).size, 1);
    t.match(await log(), [{ state: 'delivered', attempts: 2 }]);
  });

  t.test('one that wakes after its lease has ended writes nothing', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, receiver, log, webhook } = prepared;
    await breakSite(prepared);
    const key = scene.offered[0]?.key ?? '';
    let wake: () => void = () => undefined;
    const asleep = await openAlertScene(t, db, {
      post: () => new Promise((resolve) => (wake = () => resolve({ status: 410, retryAfter: null }))),
    });
    const sleeping = asleep.queue.perform(key);
    while ((await db.run(deliveries({})))[0]?.lease === null) await new Promise(setImmediate);
    scene.pass(120_000);
    scene.offered.push(...(await scene.queue.sweep()));
    await scene.deliverDue();
    wake();
    await sleeping;
    t.equal(receiver.messages.length, 1);
    t.match(await log(), [{ state: 'delivered', answerStatus: 204, attempts: 2 }]);
    t.equal((await scene.webhooks.get({ accountId: prepared.account.id, webhookId: webhook.id })).disabledAt, null);
  });

  t.test('a message whose workers die ten times is given up', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, log } = prepared;
    await breakSite(prepared);
    const key = scene.offered[0]?.key ?? '';
    const dying = await openAlertScene(t, db, { post: () => Promise.reject(new Error('a fault of ours')) });
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      dying.clock.time = scene.clock.time;
      await dying.queue.perform(key);
      scene.pass(120_000);
      t.equal((await scene.queue.sweep()).length, attempts < 10 ? 1 : 0);
    }
    t.match(await log(), [{ state: 'failed', attempts: 10, problem: 'The attempt was interrupted.' }]);
  });

  t.test('a webhook or site that is removed while a message is in hand takes the message with it', async (t) => {
    for (const what of ['webhook', 'site'] as const) {
      const db = await engine.openDb(t);
      const prepared = await prepare(t, db);
      const { scene, site, ref, receiver } = prepared;
      await breakSite(prepared);
      const key = scene.offered[0]?.key ?? '';
      const removing = await openAlertScene(t, db, {
        post: async () => {
          if (what === 'webhook') await scene.webhooks.remove(ref);
          else await createSites({ db, clock: scene.clock, vetSite: () => true }).remove(site.id);
          return { status: 410, retryAfter: null };
        },
      });
      await removing.queue.perform(key);
      t.same(removing.crashes, []);
      t.same(await db.run(deliveries({})), []);
      await scene.deliverDue();
      t.equal(receiver.messages.length, 0);
    }
  });

  t.test('what nobody heard of is offered again', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, receiver } = prepared;
    await breakSite(prepared);
    scene.offered.length = 0;
    scene.pass(60_000);
    t.same(await scene.queue.sweep(), []);
    scene.pass(1);
    scene.offered.push(...(await scene.queue.sweep()));
    t.same(await scene.queue.sweep(), [], 'not at every sweep');
    await scene.deliverDue();
    t.equal(receiver.messages.length, 1);
    t.same(await scene.queue.sweep(), []);
  });

  t.test('the messages of an account stand behind one another, not before those of others', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, ref, receiver } = prepared;
    const other = await addAccount(db);
    const otherRef = await scene.webhooks.add({
      accountId: other.id,
      url: `http://${PUBLIC_HOST}:${receiver.port}/other`,
    });
    for (let count = 0; count < 10; count += 1) await scene.webhooks.sendTest(ref);
    await scene.webhooks.sendTest({ accountId: other.id, webhookId: otherRef.webhook.id });
    t.same(
      scene.offered.map(({ priority }) => priority),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
    );
    receiver.answer = (response) => response.writeHead(500).end();
    await scene.queue.perform(scene.offered[0]?.key ?? '');
    t.equal(scene.offered.at(-1)?.priority, 10, 'what failed stands behind all that wait');
  });

  t.test('alerts by e-mail go to the account, once for a change', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t));
    const { scene, site, account, ref } = prepared;
    await scene.webhooks.remove(ref);
    t.equal(await scene.webhooks.emailAlerts(account.id), false, 'off at first');
    await breakSite(prepared);
    t.same(scene.offered, []);
    await scene.webhooks.setEmailAlerts(account.id, true);
    t.equal(await scene.webhooks.emailAlerts(account.id), true);
    await scene.run(site.id, BROKEN);
    t.same(scene.offered, [], 'what had changed before they were on is no news');
    scene.mailOutcome = 'failed';
    await scene.run(site.id, { ...FINE, c: 'FAIL', d: 'FAIL' });
    await scene.deliverDue();
    scene.mailOutcome = 'sent';
    scene.pass(10_000);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
    t.same(scene.mails[1], scene.mails[0], 'the same at each attempt');
    t.match(scene.mails[0], { to: account.email, subject: 'shop.example.com: 2 checks newly fail', id: /^msg_/ });
    const text = scene.mails[0]?.text ?? '';
    for (const part of [
      '- The score fell from 75 to 50.',
      '- c "title of c" fails now (MISSING).',
      '- b "title of b" does not fail any more.',
      `${ALERTS_URL}/sites/${site.id}/runs/4`,
      `${ALERTS_URL}/alerts`,
    ]) {
      t.match(text, part);
    }
    await scene.webhooks.setEmailAlerts(account.id, false);
    await scene.run(site.id, FINE);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
  });

  t.test(
    'a message by e-mail that is on its way ends with the alerts, with a refused address, or after seven attempts',
    async (t) => {
      const db = await engine.openDb(t);
      const prepared = await prepare(t, db);
      const { scene, site, account, ref } = prepared;
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
      await deliverFor(scene, 48);
      t.same(await states(), ['failed 1', 'failed 7']);
      await scene.run(site.id, BROKEN);
      await scene.webhooks.setEmailAlerts(account.id, false);
      await scene.deliverDue();
      t.same(await states(), ['failed 1', 'failed 7', 'failed 1']);
      t.equal(scene.mails.length, 8);
    },
  );

  t.test('that a webhook was turned off is told by e-mail, where the account has alerts there', async (t) => {
    const { scene, receiver, ref, account, webhook } = await prepare(t, await engine.openDb(t));
    receiver.answer = (response) => response.writeHead(410).end();
    for (const isOn of [false, true]) {
      await scene.webhooks.setEmailAlerts(account.id, isOn);
      await scene.webhooks.enable(ref);
      await scene.webhooks.sendTest(ref);
      await scene.deliverDue();
      t.equal(scene.mails.length, isOn ? 1 : 0);
    }
    t.equal(scene.mails[0]?.subject, `Your webhook at ${PUBLIC_HOST}:${receiver.port} was turned off`);
    t.match(scene.mails[0]?.text, `${ALERTS_URL}/alerts/webhooks/${webhook.id}`);
    t.notMatch(scene.mails[0]?.text, 'key=1', 'the address itself may hold a secret');
  });

  t.test('without a mail server there are no alerts by e-mail', async (t) => {
    const prepared = await prepare(t, await engine.openDb(t), { hasMail: false });
    const { scene, account } = prepared;
    t.equal(await scene.webhooks.emailAlerts(account.id), null);
    await t.rejects(scene.webhooks.setEmailAlerts(account.id, true), /no mail server/);
  });

  t.test('what was known before the alerts is read from the runs before', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    const { scene, site, ref, account, receiver } = prepared;
    await scene.webhooks.remove(ref);
    for (const results of [BROKEN, { ...FINE, b: 'UNDETERMINED', c: 'FAIL' } as const, FINE, DOWN]) {
      await scene.run(site.id, results);
    }
    const url = `http://${PUBLIC_HOST}:${receiver.port}/late`;
    await scene.webhooks.add({ accountId: account.id, url });
    await scene.run(site.id, BROKEN);
    await scene.deliverDue();
    t.same(receiver.messages.map(changesOf), [['SCORE_FELL', 'CHECK_FAILING b']]);
  });

  t.test('runs that finish at the same time tell of a change once', async (t) => {
    const { scene, site, receiver } = await prepare(t, await engine.openDb(t));
    await scene.run(site.id, FINE);
    await Promise.all(Array.from({ length: 5 }, () => scene.run(site.id, BROKEN)));
    await Promise.all(Array.from({ length: 5 }, () => scene.run(site.id, DOWN)));
    await scene.deliverDue();
    t.same(receiver.messages.map(changesOf), [['SCORE_FELL', 'CHECK_FAILING b'], ['SITE_UNREACHABLE']]);
  });

  t.test('an account without alerts is given no state', async (t) => {
    const db = await engine.openDb(t);
    const prepared = await prepare(t, db);
    await prepared.scene.webhooks.remove(prepared.ref);
    await breakSite(prepared);
    t.same(await db.run(states({})), []);
  });

  t.test('a webhook that is removed while a run finishes does not undo the run', async (t) => {
    const db = await engine.openDb(t);
    const { scene, site, account, ref } = await prepare(t, db);
    await scene.run(site.id, FINE);
    for (let round = 0; round < 10; round += 1) {
      const url = `https://hooks.fixture-site.com/${round}`;
      const { webhook } = await scene.webhooks.add({ accountId: account.id, url });
      await Promise.all([
        scene.run(site.id, round % 2 === 0 ? BROKEN : FINE),
        scene.webhooks.remove({ ...ref, webhookId: webhook.id }),
      ]);
    }
    t.equal((await db.run(runCount({})))[0]?.count, 11);
    t.equal((await db.run(deliveries({}))).filter(({ webhook_id }) => webhook_id === ref.webhookId).length, 10);
  });
});

const states = defineQuery<{ state: string }>((sql) => sql('alert_states').select('state'));
const runCount = defineQuery<{ count: number }>((sql) => sql('runs').count({ count: '*' }));

type Response = Parameters<Receiver['answer']>[0];

/** One header field every 20 ms, for as long as the connection lasts. */
function dripHeaders({ socket }: Response): void {
  socket?.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket?.write('x: y\r\n'), 20);
  socket?.on('close', () => clearInterval(timer)).on('error', () => undefined);
}

function floodHeaders({ socket }: Response): void {
  socket?.on('error', () => undefined).write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n`);
}
