import { createHash } from 'node:crypto';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import { createDeliveryHandler } from '../../../src/app/alerts/deliver.js';
import { eraseMarked } from '../../../src/app/data/removal.js';
import { ABANDONED_MS } from '../../../src/app/free-scan/free-scan.js';
import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { InputError } from '../../../src/platform/input-error.js';
import { createLogger } from '../../../src/platform/logging.js';
import { Slots } from '../../../src/platform/slots.js';
import type { StartTimer } from '../../../src/platform/timer.js';
import { addJob } from '../../../src/queue/jobs.js';
import { addAccount, addKey, addSite, scanReport } from '../../support/accounts.js';
import { NO_METRICS } from '../../support/alerts.js';
import { noTrials } from '../../support/no-trials.js';
import { GOOD_PASSWORD as password } from '../../support/passwords.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import { siteRemoval } from '../../support/removal.js';
import { cheapPasswords } from '../../support/sign-in.js';
import { webhooksOf } from '../../support/webhooks.js';
import { outcomeOf, outcomeOfAnswer, type Outcome, type Scene } from './sweep.js';
import { askNumber, type FaultWorld } from './world.js';

const HOUR_MS = 3_600_000;

/** @param from such as `runs WHERE site_id = 'x'` */
function countRows(world: FaultWorld, from: string): Promise<number> {
  return askNumber(world, `SELECT count(*) AS n FROM ${from}`);
}

function doneOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter((outcome) => outcome === 'done').length;
}

const WEBHOOK = 'https://hooks.example.com/in';
const webhooksIn = ({ watch: db, clock }: FaultWorld) =>
  webhooksOf({ db, clock, hasMail: false, vetWebhook: async () => null });

/** A customer with a verified site, a webhook and a key that was used a moment ago. */
async function addCustomer(world: FaultWorld) {
  const { watch, access } = world;
  const { id: accountId } = await addAccount(watch);
  const { id: siteId } = await addSite(watch, accountId);
  const authorization = `Bearer ${await addKey(watch, accountId)}`;
  await webhooksIn(world).add({ accountId, url: WEBHOOK });
  // Stores the time of the key's last use, so that no statement of the scene does.
  await access.admit(authorization);
  await access.settle();
  const runs = () => countRows(world, `runs WHERE site_id = '${siteId}'`);
  /** A charge without an answer stays: one request too many may be counted, never one too few. */
  const checkUsed = async (outcomes: readonly Outcome[], isFateUnknown: boolean): Promise<string[]> => {
    const keys = `SELECT id FROM api_keys WHERE account_id = '${accountId}'`;
    const used = await askNumber(world, `SELECT sum(used) AS n FROM key_usage WHERE key_id IN (${keys})`);
    const tooMany = used - 1 - doneOf(outcomes);
    if (tooMany === 0 || (isFateUnknown && tooMany === 1)) return [];
    return [`${used} requests counted, ${doneOf(outcomes)} answered`];
  };
  const send = async (path: string, done: number, method = 'GET', headers = {}) =>
    outcomeOfAnswer(
      await world.send(`/api/v1/sites/${siteId}/runs${path}`, { method, headers: { authorization, ...headers } }),
      done,
    );
  return { accountId, siteId, runs, checkUsed, send };
}

export const API_SCENES: Readonly<Record<string, Scene>> = {
  createRun: async (world) => {
    const { runs, checkUsed, send } = await addCustomer(world);
    return {
      run: () => send('', 201, 'POST'),
      async check(outcomes, isFateUnknown) {
        const [stored, done] = [await runs(), doneOf(outcomes)];
        const broken = stored === done ? [] : [`${stored} runs stored, ${done} acknowledged`];
        return [...broken, ...(await checkUsed(outcomes, isFateUnknown))];
      },
    };
  },

  'createRun with an Idempotency-Key': async (world) => {
    const { siteId, runs, checkUsed, send } = await addCustomer(world);
    return {
      run() {
        // The second attempt comes after the lease of the first one.
        world.clock.time = new Date(world.clock.time.getTime() + 30_000);
        return send('', 201, 'POST', { 'idempotency-key': siteId });
      },
      async check(outcomes, isFateUnknown) {
        const stored = await runs();
        const broken = stored === Number(outcomes.includes('done')) ? [] : [`${stored} runs stored for one value`];
        return [...broken, ...(await checkUsed(outcomes, isFateUnknown))];
      },
    };
  },

  getRun: async (world) => {
    const { accountId, siteId, checkUsed, send } = await addCustomer(world);
    await world.runs.start({ accountId, siteId, trigger: 'API' });
    return { run: () => send('/1', 200), check: checkUsed };
  },

  'key revoked': async (world) => {
    const { db, watch, clock } = world;
    const { id: accountId } = await addAccount(watch);
    const { apiKey } = await createKeys({ db: watch, clock }).create({ accountId, name: 'test' });
    return {
      run: () => outcomeOf(createKeys({ db, clock }).revoke(apiKey.id, accountId)),
      async check(outcomes) {
        const live = await countRows(world, `api_keys WHERE id = '${apiKey.id}' AND revoked_at IS NULL`);
        return outcomes.includes('done') && live === 1 ? ['the key is good although it was revoked'] : [];
      },
    };
  },

  'site removed': async (world) => {
    const { db, watch, clock, runs } = world;
    const { id: accountId } = await addAccount(watch);
    const { id: siteId } = await addSite(watch, accountId);
    for (let number = 1; number <= 2; number += 1) await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    const removal = siteRemoval({ db, clock });
    const remove = async (): Promise<void> => {
      try {
        await removal.removeOwn(await findOwnSite(db, { accountId, siteId }));
      } catch (error) {
        // A site that is marked for removal does not exist for its owner.
        if (!(error instanceof ServiceError) || error.code !== 'site_not_found') throw error;
      }
    };
    return {
      run: () => outcomeOf(remove()),
      async check(outcomes) {
        await eraseMarked(watch);
        const left = await countRows(world, `runs WHERE site_id = '${siteId}'`);
        const site = await countRows(world, `sites WHERE id = '${siteId}'`);
        if (left !== 2 * site) return [`${left} runs of ${site} sites are left`];
        return outcomes.includes('done') && site === 1 ? ['the site exists although it was removed'] : [];
      },
    };
  },
};

/** Performs due jobs, later and later, until `isDone`. */
async function workOff({ clock }: FaultWorld, worker: TestWorker, isDone: () => Promise<boolean>) {
  for (let rounds = 0; rounds < 5 && !(await isDone()); rounds += 1) {
    // Longer than every lease and pause.
    clock.time = new Date(clock.time.getTime() + HOUR_MS);
    await worker.performDue();
  }
}

/** A failed job is no refusal: it is tried again later. */
const performDue = (worker: TestWorker) => async (): Promise<Outcome> => {
  await worker.performDue().catch(() => 0);
  return 'done';
};

const AT_ONCE: StartTimer = (action) => {
  setImmediate(action);
  return () => undefined;
};

const BACKGROUND_SCENES: Readonly<Record<string, Scene>> = {
  'scheduled run': async (world) => {
    const { db, watch, clock, performRun } = world;
    const { id: accountId } = await addAccount(watch);
    const { id: siteId } = await addSite(watch, accountId);
    const now = clock.now();
    const due = { account_id: accountId, site_id: siteId, run_after: now.toISOString() };
    await watch.transaction((tx) => addJob(tx, { queue: 'runs', kind: 'SCHEDULED', key: siteId, ...due }, now));
    const observer = { retried: () => undefined, abandoned: () => undefined };
    const worker = new TestWorker([runQueue({ db, clock, performRun, observer })], { db, clock });
    const waiting = () => countRows(world, `jobs WHERE site_id = '${siteId}'`);
    return {
      run: performDue(worker),
      async check() {
        await workOff(world, worker, async () => (await waiting()) === 0);
        const stored = await countRows(world, `runs WHERE site_id = '${siteId}'`);
        return stored === 1 && (await waiting()) === 0 ? [] : [`${stored} runs stored, ${await waiting()} waiting`];
      },
    };
  },

  'webhook delivery': async (world) => {
    const { db, clock } = world;
    const { id: accountId } = await addAccount(world.watch);
    const webhooks = webhooksIn(world);
    const { webhook } = await webhooks.add({ accountId, url: WEBHOOK });
    await webhooks.sendTest({ accountId, webhookId: webhook.id });
    let posts = 0;
    const handler = createDeliveryHandler({
      ...{ db, clock, sendMail: null, publicUrl: 'https://readiness.test', userAgent: 'test', startTimer: AT_ONCE },
      ...{ logger: createLogger('silent'), metrics: NO_METRICS },
      post: async () => {
        posts += 1;
        return { status: 204, retryAfter: null };
      },
    });
    const worker = new TestWorker([{ name: 'deliveries', concurrency: 1, handlers: { WEBHOOK: handler } }], {
      ...{ db, clock },
    });
    const isDelivered = async () =>
      (await countRows(world, `deliveries WHERE account_id = '${accountId}' AND state = 'delivered'`)) === 1;
    return {
      run: performDue(worker),
      async check() {
        await workOff(world, worker, isDelivered);
        return (await isDelivered()) && posts === 1 ? [] : [`sent ${posts} times, stored: ${await isDelivered()}`];
      },
    };
  },
};

const PASSWORDS = cheapPasswords();
const sessionsOf = (world: FaultWorld, id: string) => countRows(world, `sessions WHERE account_id = '${id}'`);

/** A different address for each text. */
function addressOf(text: string): string {
  return `198.18.${[...createHash('sha256').update(text).digest().subarray(0, 2)].join('.')}`;
}

/** Returns how much of the limit this subject has used. */
function usedOf(world: FaultWorld, scope: string, subject: string): Promise<number> {
  const digest = createHash('sha256').update(subject).digest('hex');
  return askNumber(world, `SELECT sum(used) AS n FROM rate_windows WHERE scope = '${scope}' AND subject = '${digest}'`);
}

let hostCount = 0;

const VISITOR_SCENES: Readonly<Record<string, Scene>> = {
  'first sign-in, by link': async (world) => {
    const { db, watch, clock, timers } = world;
    const { id } = await addAccount(watch);
    const { token } = await createAccounts({ db: watch, clock }).createSignInLink(id);
    const signIn = createSignIn({ db, clock, startTimer: timers.start, passwords: PASSWORDS });
    let opened = 0;
    const use = async (): Promise<void> => {
      try {
        await signIn.useLink({ token, password });
        opened += 1;
      } catch (error) {
        // A link works once.
        const isSpent = error instanceof InputError && error.message.startsWith('This link has expired');
        if (opened === 0 || !isSpent) throw error;
      }
    };
    return {
      run: () => outcomeOf(use()),
      async check() {
        const sessions = await sessionsOf(world, id);
        const set = await countRows(world, `accounts WHERE id = '${id}' AND password_hash IS NOT NULL`);
        return sessions === opened && set === opened ? [] : [`${sessions} sessions, ${set} passwords, ${opened} used`];
      },
    };
  },

  'sign-in by password': async (world) => {
    const { db, watch, clock, timers } = world;
    const { id, email } = await addAccount(watch);
    const { token } = await createAccounts({ db: watch, clock }).createSignInLink(id);
    await createSignIn({ db: watch, clock, passwords: PASSWORDS }).useLink({ token, password });
    const signIn = createSignIn({ db, clock, startTimer: timers.start, passwords: PASSWORDS });
    const clientAddress = addressOf(id);
    return {
      run: () => outcomeOf(signIn.withPassword({ email, password, clientAddress })),
      async check(outcomes, isFateUnknown) {
        const [sessions, done] = [(await sessionsOf(world, id)) - 1, doneOf(outcomes)];
        // An attempt that is not given back counts in both windows.
        const failures = Math.max(
          await usedOf(world, 'sign-in-address', clientAddress),
          await usedOf(world, 'sign-in-account', email),
        );
        const broken = sessions === done ? [] : [`${sessions} sessions, ${done} signed in`];
        return failures <= Number(isFateUnknown) ? broken : [...broken, `${failures} failures counted`];
      },
    };
  },

  'free scan': async (world) => {
    const { db, clock, timers } = world;
    const hostname = `free${(hostCount += 1)}.example.com`;
    const clientAddress = addressOf(hostname);
    // All its scans are in one hour: what an earlier hour counted may be cleared away.
    clock.time = new Date(Math.ceil((clock.time.getTime() + 1) / HOUR_MS) * HOUR_MS);
    const freeScans = new FreeScans({
      ...{ db, clock, slots: new Slots(20), scanConcurrency: 20, vetSite: () => true, tryFile: noTrials },
      addressesOf: async ({ hostname }) => [hostname],
      scan: async () => ({ ...scanReport(), startedAt: clock.now(), finishedAt: clock.now() }),
      startTimer: timers.start,
    });
    const scan = async () => {
      // A claim whose answer was lost ends after this time.
      clock.time = new Date(clock.time.getTime() + ABANDONED_MS + 1000);
      return (await freeScans.start({ site: hostname, clientAddress })).done;
    };
    return {
      run: () => outcomeOf(scan()),
      async check(outcomes, isFateUnknown) {
        const counted = await usedOf(world, 'free-scan', clientAddress);
        const stored = await countRows(world, `free_scans WHERE hostname = '${hostname}'`);
        const finished = await countRows(world, `free_scans WHERE hostname = '${hostname}' AND body IS NOT NULL`);
        // Each scan counts, and the last one is stored.
        const done = doneOf(outcomes);
        const isCounted = counted === done || (isFateUnknown && counted <= 1 + done);
        const broken = isCounted ? [] : [`${counted} counted, ${done} done`];
        // A lost answer leaves at worst a result that nobody was sent.
        if (isFateUnknown || (stored === finished && finished === Math.min(1, done))) return broken;
        return [...broken, `${stored} stored, ${finished} of them finished, ${done} done`];
      },
    };
  },
};

export const SCENES: Readonly<Record<string, Scene>> = { ...API_SCENES, ...BACKGROUND_SCENES, ...VISITOR_SCENES };
