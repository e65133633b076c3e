import { createPostgresDispatcher } from '../../../src/queue/postgres.js';
import { createLogger } from '../../../src/platform/logging.js';
import { createDeliveryQueue } from '../../../src/app/alerts/delivery-queue.js';
import { createWebhooks } from '../../../src/app/alerts/create-webhooks.js';
import { queueOnce } from '../../../src/app/automation/queueing.js';
import { createRunQueue } from '../../../src/app/automation/run-queue.js';
import { createSchedules } from '../../../src/app/automation/schedules.js';
import { createAccountData } from '../../../src/app/accounts/account-data.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createHousekeeping, withHousekeeping } from '../../../src/app/housekeeping/housekeeping.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import type { Work } from '../../../src/queue/work.js';
import { defineQuery } from '../../../src/store/query.js';
import { openQueuePool } from '../../../src/queue/queue-pool.js';
import { schemaStatus } from '../../../src/store/schema-status.js';
import { migrateDatabase } from '../../../src/store/migrate.js';
import { separateRoles } from '../../support/database-roles.js';
import { onPostgres } from '../../support/databases.js';
import { GOOD_PASSWORD as password } from '../../support/passwords.js';
import { cheapPasswords } from '../../support/sign-in.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { openFaultWorld } from './world.js';

const laterTable = defineQuery<never>((sql) => sql.raw('CREATE TABLE later (x text)'));
const insertLater = defineQuery<never>((sql) => sql('later').insert({ x: 'x' }));

/** What the README has the operator grant is enough for all that the service does. */
onPostgres(async (t, engine) => {
  const { serveUrl, ownerUrl } = await separateRoles(t, engine);
  const world = await openFaultWorld(t, serveUrl);
  const { db, clock, access, runs, performRun, returns } = world;
  const limits = createRateLimits({ db, clock, returns });

  t.test('a run by the API, a key, a session, and the schema is seen to be current', async (t) => {
    t.equal(await schemaStatus(db), 'current');
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    const authorization = `Bearer ${await addKey(db, accountId)}`;
    const answer = await world.send(`/api/v1/sites/${siteId}/runs`, { method: 'POST', headers: { authorization } });
    t.equal(answer.status, 201);
    t.equal((await world.send(`/api/v1/sites/${siteId}/runs/1`, { headers: { authorization } })).status, 200);
    await access.settle();
    const signIn = createSignIn({ db, clock, limits, passwords: cheapPasswords() });
    const { token } = await createAccounts({ db, clock }).createSignInLink(accountId);
    t.ok(await signIn.authenticate((await signIn.useLink({ token, password })).token));
  });

  t.test(
    'a scheduled run and its alert through the queue, then upkeep, and the account with all of it removed',
    async (t) => {
      const { id: accountId } = await addAccount(db);
      const { id: siteId } = await addSite(db, accountId);
      const logger = createLogger('silent');
      const dispatcher = createPostgresDispatcher({
        ...{ logger, places: { run: 1, delivery: 1 } },
        openPool: (connectionsMax) => openQueuePool(serveUrl, { connectionsMax }),
      });
      t.teardown(() => dispatcher.close());
      const offerWork = (work: readonly Work[]): void => dispatcher.offer(work);
      let hearDelivered: (body: string) => void = () => undefined;
      const delivered = new Promise<string>((resolve) => (hearDelivered = resolve));
      const schedules = createSchedules({ db, clock });
      const webhooks = createWebhooks({
        ...{ db, clock, hasMail: false, offerWork, limits },
        vetWebhook: async () => null,
      });
      const { webhook } = await webhooks.add({ accountId, url: 'https://hooks.example.com/in' });
      const deliveries = createDeliveryQueue({
        ...{ db, clock, offerWork, sendMail: null, publicUrl: 'https://readiness.test', userAgent: 'test' },
        post: async ({ body }) => {
          hearDelivered(body);
          return { status: 204, retryAfter: null };
        },
      });
      let hearStored: () => void = () => undefined;
      const stored = new Promise<void>((resolve) => (hearStored = resolve));
      const queue = createRunQueue({
        ...{ db, clock, offerWork, planDue: () => schedules.planDue() },
        performRun: async (run) => performRun(run).finally(() => hearStored()),
        observer: { retried: () => undefined, givenUp: () => undefined },
      });
      const upkeep = (error: unknown): void => void t.fail('the upkeep failed', { error });
      await dispatcher.start([withHousekeeping(queue, createHousekeeping({ db, clock }), upkeep), deliveries]);
      t.ok(dispatcher.isWorking, 'the queue lets the role in');
      const now = clock.now();
      const work = await db.transaction(() =>
        queueOnce({ siteId, accountId, trigger: 'SCHEDULED', runAfter: now, now }),
      );
      offerWork(work ? [work] : []);
      await stored;
      t.equal((await runs.latest({ accountId, siteId })).number, 1);
      await webhooks.sendTest({ accountId, webhookId: webhook.id });
      t.match(await delivered, /"type":"test"/);
      await dispatcher.close();
      await createAccountData({ db, clock }).remove(accountId);
      await t.rejects(runs.latest({ accountId, siteId }), { code: 'site_not_found' });
    },
  );

  t.test("tables of later versions are its to use, but migrating is the owner's", async (t) => {
    const owner = await openFaultWorld(t, ownerUrl);
    await owner.db.run(laterTable({}));
    await t.resolves(db.run(insertLater({})));
    await t.rejects(migrateDatabase(serveUrl), { message: /permission denied/ });
  });
});
