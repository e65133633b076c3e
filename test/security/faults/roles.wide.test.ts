import { accountData } from '../../support/removal.js';
import { proofConsequences } from '../../../src/app/app.js';
import { createHmac, hash, pbkdf2Sync } from 'node:crypto';
import { createDeliveryHandler } from '../../../src/app/alerts/deliver.js';
import { addJob } from '../../../src/queue/jobs.js';
import { Worker } from '../../../src/queue/worker.js';
import { createQueues } from '../../../src/wiring/workers.js';
import { createLogger } from '../../../src/platform/logging.js';
import { NO_METRICS } from '../../support/alerts.js';
import { webhooksOf } from '../../support/webhooks.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { Slots } from '../../../src/platform/slots.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import { defineQuery } from '../../../src/store/query.js';
import { schemaStatus } from '../../../src/store/schema-check.js';
import { migrateDatabase } from '../../../src/store/migrate.js';
import { separateRoles } from '../../support/database-roles.js';
import { onPostgres } from '../../support/databases.js';
import { GOOD_PASSWORD as password } from '../../support/passwords.js';
import { cheapPasswords } from '../../support/sign-in.js';
import { connectRaw } from '../../support/raw-connection.js';
import { addAccount, addKey, addSite, scanReport } from '../../support/accounts.js';
import { until } from '../../support/held-timers.js';
import { openFaultWorld } from './world.js';

const laterTable = defineQuery<never>((sql) => sql.raw('CREATE TABLE later (x text)'));
const insertLater = defineQuery<never>((sql) => sql('later').insert({ x: 'x' }));

/** Whether PostgreSQL lets this password in by SCRAM-SHA-256 (RFC 5803): the server of the tests asks nobody for one. */
function opens(password: string, verifier: string): boolean {
  const [, rounds = '', salt = '', storedKey = ''] = /^SCRAM-SHA-256\$(\d+):([^$]+)\$([^:]+):/.exec(verifier) ?? [];
  const salted = pbkdf2Sync(password, Buffer.from(salt, 'base64'), Number(rounds), 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  return hash('sha256', clientKey, 'base64') === storedKey;
}

/** What deploy/serving-role.sql grants is enough for all that the service does. */
onPostgres(async (t, engine) => {
  const { serveUrl, ownerUrl, adminUrl, grantAgain } = await separateRoles(t, engine);
  const world = await openFaultWorld(t, serveUrl);
  const { db, clock, access, runs, performRun } = world;

  t.test('a run by the API, a key, a session, and the schema is seen to be current', async (t) => {
    t.equal(await schemaStatus(db), 'current');
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    const authorization = `Bearer ${await addKey(db, accountId)}`;
    const answer = await world.send(`/api/v1/sites/${siteId}/runs`, { method: 'POST', headers: { authorization } });
    t.equal(answer.status, 201);
    t.equal((await world.send(`/api/v1/sites/${siteId}/runs/1`, { headers: { authorization } })).status, 200);
    await access.settle();
    const signIn = createSignIn({ db, clock, passwords: cheapPasswords() });
    const { token } = await createAccounts({ db, clock }).createSignInLink(accountId);
    t.ok(await signIn.authenticate((await signIn.useLink({ token, password })).token));
  });

  t.test(
    'a scheduled run and its alert through the queue, then upkeep, and the account with all of it removed',
    async (t) => {
      const { id: accountId } = await addAccount(db);
      const { id: siteId } = await addSite(db, accountId);
      let hearDelivered: (body: string) => void = () => undefined;
      const delivered = new Promise<string>((resolve) => (hearDelivered = resolve));
      const delivery = createDeliveryHandler({
        ...{ db, clock, sendMail: null, publicUrl: 'https://readiness.test', userAgent: 'test' },
        ...{ logger: createLogger('silent'), metrics: NO_METRICS },
        post: async ({ body }) => {
          hearDelivered(body);
          return { status: 204, retryAfter: null };
        },
      });
      let hearStored: () => void = () => undefined;
      const stored = new Promise<void>((resolve) => (hearStored = resolve));
      const logger = createLogger('silent');
      const queues = createQueues(
        {
          ...{ db, clock, logger, hasMail: false, deliveryHandler: delivery },
          ...{
            accountMailHandler: delivery,
            scan: async () => scanReport(),
            slots: new Slots(1),
            scanConcurrency: 1,
            onFailure: () => undefined,
          },
          performRun: async (run) => performRun(run).finally(() => hearStored()),
          observer: { retried: () => undefined, abandoned: () => undefined },
          ...{
            ownership: { checkProof: async () => [] },
            consequences: proofConsequences(false),
            evidenceDays: 90,
          },
          dns: { isNameGone: async () => false, answersControl: async () => true },
        },
        'worker',
      );
      const workers = queues.map((queue) => new Worker(queue, { db, clock, logger }));
      const close = () => Promise.all(workers.map((worker) => worker.close()));
      t.teardown(close);
      for (const worker of workers) worker.start();
      await until(() => workers.every((worker) => worker.isWorking));
      t.pass('the queue lets the role in');
      const webhooks = webhooksOf({
        ...{ db, clock, hasMail: false },
        vetWebhook: async () => null,
      });
      const { webhook } = await webhooks.add({ accountId, url: 'https://hooks.example.com/in' });
      const now = clock.now();
      const due = { account_id: accountId, site_id: siteId, run_after: now.toISOString() };
      const job = { queue: 'runs', kind: 'SCHEDULED', key: siteId, ...due } as const;
      await db.transaction((tx) => addJob(tx, job, now));
      await stored;
      t.equal((await runs.latest({ accountId, siteId })).number, 1);
      await webhooks.sendTest({ accountId, webhookId: webhook.id });
      t.match(await delivered, /"type":"test"/);
      await close();
      await accountData({ db, clock }).remove(accountId);
      await t.rejects(runs.latest({ accountId, siteId }), { code: 'site_not_found' });
    },
  );

  t.test("tables of later versions are its to use, but migrating is the owner's", async (t) => {
    const owner = await openFaultWorld(t, ownerUrl);
    await owner.db.run(laterTable({}));
    await t.resolves(db.run(insertLater({})));
    await t.rejects(migrateDatabase(serveUrl), { message: /permission denied/ });
  });

  t.test(
    'the file of its rights is run after each migration: it changes the password only where it is given one',
    async (t) => {
      const { username, password } = new URL(serveUrl);
      const admin = await connectRaw(adminUrl);
      t.teardown(() => admin.close());
      const readRole = async (): Promise<{ readonly verifier: string; readonly rights: unknown }> => {
        const [role] = await admin.read(`SELECT rolpassword FROM pg_authid WHERE rolname = '${username}'`);
        const rights = await admin.read(`SELECT table_name, privilege_type FROM information_schema.role_table_grants
        WHERE grantee = '${username}' ORDER BY table_name, privilege_type`);
        return { verifier: String(role?.rolpassword), rights };
      };
      const before = await readRole();
      t.ok(opens(password, before.verifier));
      await grantAgain();
      t.same(await readRole(), before);
      await grantAgain('another');
      const after = await readRole();
      t.same([opens('another', after.verifier), opens(password, after.verifier)], [true, false]);
      t.same(after.rights, before.rights);
    },
  );
});
