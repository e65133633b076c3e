import { createHash } from 'node:crypto';
import { createDeliveryHandler } from '../../../src/app/alerts/deliver.js';
import { eraseRemoved } from '../../../src/app/data/removal.js';
import { ABANDONED_MS } from '../../../src/app/free-scan/free-scan-store.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { InputError, ServiceError } from '../../../src/platform/errors.js';
import { addJob } from '../../../src/queue/jobs.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { NO_METRICS, webhooksOf } from '../../support/alerts.js';
import { GOOD_PASSWORD as password } from '../../support/passwords.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import { outcomeOf, outcomeOfAnswer, type Outcome, type Scene } from './sweep.js';
import { askNumber, countRows, type FaultWorld } from './world.js';

const HOUR_MS = 3_600_000;
const WEBHOOK = 'https://hooks.example.com/in';

function doneOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter((outcome) => outcome === 'done').length;
}

async function addVerifiedSite({ watch }: FaultWorld) {
  const { id: accountId } = await addAccount(watch);
  const { id: siteId } = await addSite(watch, accountId);
  return { accountId, siteId, runsOfSite: `runs WHERE site_id = '${siteId}'` };
}

/** Adds a customer with a verified site, a webhook and a key. */
async function addCustomer(world: FaultWorld) {
  const { watch, access, safe } = world;
  const customer = await addVerifiedSite(world);
  const { accountId, siteId, runsOfSite } = customer;
  const authorization = `Bearer ${await addKey(watch, accountId)}`;
  await webhooksOf(safe).add({ accountId, url: WEBHOOK });
  // Stores the key's last use now, so that the scene does not.
  await access.admit(authorization);
  await access.settle();
  /** If the answer to a charge is lost, the charge stays. */
  const checkUsed = async (outcomes: readonly Outcome[], isFateUnknown: boolean): Promise<string[]> => {
    const keys = `SELECT id FROM api_keys WHERE account_id = '${accountId}'`;
    const used = await askNumber(world, `SELECT sum(used) AS n FROM key_usage WHERE key_id IN (${keys})`);
    const tooMany = used - 1 - doneOf(outcomes);
    if (tooMany === 0 || (isFateUnknown && tooMany === 1)) return [];
    return [`${used} requests counted, ${doneOf(outcomes)} answered`];
  };
  const checkRuns = async (expected: number, outcomes: readonly Outcome[], isFateUnknown: boolean) => {
    const stored = await countRows(world, runsOfSite);
    const broken = stored === expected ? [] : [`${stored} runs stored, ${expected} expected`];
    return [...broken, ...(await checkUsed(outcomes, isFateUnknown))];
  };
  const send = async (path: string, done: number, method = 'GET', headers = {}) =>
    outcomeOfAnswer(
      await world.send(`/api/v1/sites/${siteId}/runs${path}`, { method, headers: { authorization, ...headers } }),
      done,
    );
  return { ...customer, checkUsed, checkRuns, send };
}

export const API_SCENES: Readonly<Record<string, Scene>> = {
  createRun: async (world) => {
    const { checkRuns, send } = await addCustomer(world);
    return {
      run: () => send('', 201, 'POST'),
      check: (outcomes, isFateUnknown) => checkRuns(doneOf(outcomes), outcomes, isFateUnknown),
    };
  },

  'createRun with an Idempotency-Key': async (world) => {
    const { siteId, checkRuns, send } = await addCustomer(world);
    return {
      run() {
        // The next attempt comes after the lease of this one.
        world.clock.time = new Date(world.clock.time.getTime() + 30_000);
        return send('', 201, 'POST', { 'idempotency-key': siteId });
      },
      check: (outcomes, isFateUnknown) => checkRuns(Math.min(1, doneOf(outcomes)), outcomes, isFateUnknown),
    };
  },

  getRun: async (world) => {
    const { accountId, siteId, checkUsed, send } = await addCustomer(world);
    await world.runs.start({ accountId, siteId, trigger: 'API' });
    return { run: () => send('/1', 200), check: checkUsed };
  },

  'key revoked': async (world) => {
    const { id: accountId } = await addAccount(world.watch);
    const { apiKey } = await world.safe.keys.create({ accountId, name: 'test' });
    return {
      run: () => outcomeOf(world.keys.revoke(apiKey.id, accountId)),
      async check(outcomes) {
        const live = await countRows(world, `api_keys WHERE id = '${apiKey.id}' AND revoked_at IS NULL`);
        return outcomes.includes('done') && live === 1 ? ['the key is good although it was revoked'] : [];
      },
    };
  },

  'site removed': async (world) => {
    const { db, watch, runs, siteRemoval } = world;
    const { accountId, siteId, runsOfSite } = await addVerifiedSite(world);
    for (let number = 1; number <= 2; number += 1) await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    const remove = async (): Promise<void> => {
      try {
        await siteRemoval.removeOwn(await findOwnSite(db, { accountId, siteId }));
      } catch (error) {
        // The owner no longer sees a site that is being removed.
        if (!(error instanceof ServiceError) || error.code !== 'site_not_found') throw error;
      }
    };
    return {
      run: () => outcomeOf(remove()),
      async check(outcomes) {
        await eraseRemoved(watch);
        const left = await countRows(world, runsOfSite);
        const site = await countRows(world, `sites WHERE id = '${siteId}'`);
        if (left !== 2 * site) return [`${left} runs of ${site} sites are left`];
        return outcomes.includes('done') && site === 1 ? ['the site exists although it was removed'] : [];
      },
    };
  },
};

/** Advances the clock and performs due jobs, until `isDone`. */
async function workOff({ clock }: FaultWorld, worker: TestWorker, isDone: () => Promise<boolean>) {
  for (let rounds = 0; rounds < 5 && !(await isDone()); rounds += 1) {
    // Longer than any lease or pause.
    clock.time = new Date(clock.time.getTime() + HOUR_MS);
    await worker.performDue();
  }
}

/** A failed job is retried later, so it is not a refusal. */
const performDue = (worker: TestWorker) => async (): Promise<Outcome> => {
  await worker.performDue().catch(() => 0);
  return 'done';
};

const BACKGROUND_SCENES: Readonly<Record<string, Scene>> = {
  'scheduled run': async (world) => {
    const { db, watch, clock, performRun } = world;
    const { accountId, siteId, runsOfSite } = await addVerifiedSite(world);
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
        const stored = await countRows(world, runsOfSite);
        return stored === 1 && (await waiting()) === 0 ? [] : [`${stored} runs stored, ${await waiting()} waiting`];
      },
    };
  },

  'webhook delivery': async (world) => {
    const { db, clock, logger, publicUrl } = world;
    const { id: accountId } = await addAccount(world.watch);
    const webhooks = webhooksOf(world.safe);
    const { webhook } = await webhooks.add({ accountId, url: WEBHOOK });
    await webhooks.sendTest({ accountId, webhookId: webhook.id });
    let posts = 0;
    const handler = createDeliveryHandler({
      ...{ db, clock, logger, publicUrl, sendMail: null, userAgent: 'test', metrics: NO_METRICS },
      startTimer(action) {
        setImmediate(action);
        return () => undefined;
      },
      post: async () => {
        posts += 1;
        return { status: 204, retryAfter: null };
      },
    });
    const queue = { name: 'deliveries', concurrency: 1, handlers: { WEBHOOK: handler } } as const;
    const worker = new TestWorker([queue], { db, clock });
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

const sessionsOf = (world: FaultWorld, id: string) => countRows(world, `sessions WHERE account_id = '${id}'`);

/** Returns another address for each text. */
function addressOf(text: string): string {
  return `198.18.${[...createHash('sha256').update(text).digest().subarray(0, 2)].join('.')}`;
}

/** Returns how much of the limit this subject has used. */
function usedOf(world: FaultWorld, scope: string, subject: string): Promise<number> {
  const digest = createHash('sha256').update(subject).digest('hex');
  return askNumber(world, `SELECT sum(used) AS n FROM rate_windows WHERE scope = '${scope}' AND subject = '${digest}'`);
}

async function addInvited({ watch, safe }: FaultWorld) {
  const { id, email } = await addAccount(watch);
  return { id, email, token: (await safe.accounts.createSignInLink(id)).token };
}

let hostCount = 0;

const VISITOR_SCENES: Readonly<Record<string, Scene>> = {
  'first sign-in, by link': async (world) => {
    const { id, token } = await addInvited(world);
    let opened = 0;
    const use = async (): Promise<void> => {
      try {
        await world.signIn.useLink({ token, password });
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
    const { id, email, token } = await addInvited(world);
    await world.safe.signIn.useLink({ token, password });
    const clientAddress = addressOf(id);
    return {
      run: () => outcomeOf(world.signIn.withPassword({ email, password, clientAddress })),
      async check(outcomes, isFateUnknown) {
        const [sessions, done] = [(await sessionsOf(world, id)) - 1, doneOf(outcomes)];
        // An attempt that is not refunded counts in both windows.
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
    const { clock, freeScans } = world;
    const hostname = `free${(hostCount += 1)}.example.com`;
    const clientAddress = addressOf(hostname);
    // All scans are in one hour, because cleaning up deletes the counts of earlier hours.
    clock.time = new Date(Math.ceil((clock.time.getTime() + 1) / HOUR_MS) * HOUR_MS);
    const scan = async () => {
      // By then, a claim whose answer was lost has ended.
      clock.time = new Date(clock.time.getTime() + ABANDONED_MS + 1000);
      return (await freeScans.start({ site: hostname, clientAddress })).done;
    };
    return {
      run: () => outcomeOf(scan()),
      async check(outcomes, isFateUnknown) {
        const counted = await usedOf(world, 'free-scan', clientAddress);
        const row = `free_scans WHERE hostname = '${hostname}'`;
        // A failed scan has finished without a result.
        const stored = await countRows(world, `${row} AND (finished_at IS NULL OR body IS NOT NULL)`);
        const finished = await countRows(world, `${row} AND body IS NOT NULL`);
        // Each scan counts, and the last one is stored.
        const done = doneOf(outcomes);
        const isCounted = counted === done || (isFateUnknown && counted <= 1 + done);
        const broken = isCounted ? [] : [`${counted} counted, ${done} done`];
        // If an answer was lost, its result may be stored.
        if (isFateUnknown || (stored === finished && finished === Math.min(1, done))) return broken;
        return [...broken, `${stored} stored, ${finished} of them finished, ${done} done`];
      },
    };
  },
};

export const SCENES: Readonly<Record<string, Scene>> = { ...API_SCENES, ...BACKGROUND_SCENES, ...VISITOR_SCENES };
