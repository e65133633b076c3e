import { siteRemoval } from '../../support/removal.js';
import { addAccount, addKey, addSite } from '../../support/accounts.js';
import { webhooksOf } from '../../support/webhooks.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { eraseMarked } from '../../../src/app/data/removal.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { type Act, outcomeOf, outcomeOfAnswer, type Outcome, type Scene } from './sweep.js';
import { askNumber, type FaultWorld } from './world.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

/** A customer with a verified site, a webhook and a key that was used a moment ago. */
async function addCustomer(world: FaultWorld) {
  const { watch, clock, access } = world;
  const { id: accountId } = await addAccount(watch);
  const { id: siteId } = await addSite(watch, accountId);
  const key = await addKey(watch, accountId);
  const webhooks = webhooksOf({
    ...{ db: watch, clock, hasMail: false, vetWebhook: async () => null },
  });
  await webhooks.add({ accountId, url: 'https://hooks.example.com/in' });
  const authorization = `Bearer ${key}`;
  // Notes the time of its use, so that no statement of the scene does.
  await access.admit(authorization);
  await access.settle();
  const used = () =>
    askNumber(
      world,
      `SELECT sum(used) AS n FROM key_usage u JOIN api_keys k ON k.id = u.key_id WHERE k.account_id = '${accountId}'`,
    );
  const runs = () => askNumber(world, `SELECT count(*) AS n FROM runs WHERE site_id = '${siteId}'`);
  return { accountId, siteId, authorization, used, runs };
}

/** A charge whose answer was lost stays: one request too many may be counted, never one too few. */
function checkUsed(used: number, outcomes: readonly Outcome[], isFateUnknown: boolean): string[] {
  const acknowledged = outcomes.filter((outcome) => outcome === 'done').length;
  const tooMany = used - 1 - acknowledged;
  if (tooMany === 0 || (isFateUnknown && tooMany === 1)) return [];
  return [`${used} requests counted, ${acknowledged} answered`];
}

const createRun: Scene = {
  name: 'createRun',
  async prepare(world) {
    const { siteId, authorization, used, runs } = await addCustomer(world);
    return {
      run: async () =>
        outcomeOfAnswer(
          await world.send(`/api/v1/sites/${siteId}/runs`, { method: 'POST', headers: { authorization } }),
          201,
        ),
      async check(outcomes, isFateUnknown) {
        const stored = await runs();
        const done = outcomes.filter((outcome) => outcome === 'done').length;
        const broken = stored === done ? [] : [`${stored} runs stored, ${done} acknowledged`];
        return [...broken, ...checkUsed(await used(), outcomes, isFateUnknown)];
      },
    };
  },
};

/** Asked again by the same value, also once the lease of what is left of the first attempt is over. */
const createRunOnce: Scene = {
  name: 'createRun with an Idempotency-Key',
  async prepare(world) {
    const { siteId, authorization, used, runs } = await addCustomer(world);
    const headers = { authorization, 'idempotency-key': siteId };
    return {
      async run() {
        world.clock.time = new Date(world.clock.time.getTime() + 30_000);
        return outcomeOfAnswer(await world.send(`/api/v1/sites/${siteId}/runs`, { method: 'POST', headers }), 201);
      },
      async check(outcomes, isFateUnknown) {
        const stored = await runs();
        const broken = stored === Number(outcomes.includes('done')) ? [] : [`${stored} runs stored for one value`];
        return [...broken, ...checkUsed(await used(), outcomes, isFateUnknown)];
      },
    };
  },
};

function readScene(name: string, path: string): Scene {
  return {
    name,
    async prepare(world) {
      const { accountId, siteId, authorization, used } = await addCustomer(world);
      await world.runs.start({ accountId, siteId, trigger: 'API' });
      return {
        run: async () =>
          outcomeOfAnswer(
            await world.send(`/api/v1/sites/${siteId}/runs/${path}`, { headers: { authorization } }),
            200,
          ),
        check: async (outcomes, isFateUnknown) => checkUsed(await used(), outcomes, isFateUnknown),
      };
    },
  };
}

const revokeKey: Scene = {
  name: 'key revoked',
  async prepare(world): Promise<Act> {
    const { db, watch, clock } = world;
    const { id: accountId } = await addAccount(watch);
    const { apiKey } = await createKeys({ db: watch, clock }).create({ accountId, name: 'test' });
    return {
      run: () => outcomeOf(createKeys({ db, clock }).revoke(apiKey.id, accountId)),
      async check(outcomes) {
        const live = await askNumber(
          world,
          `SELECT count(*) AS n FROM api_keys WHERE id = '${apiKey.id}' AND revoked_at IS NULL`,
        );
        return outcomes.includes('done') && live === 1 ? ['the key is good although it was revoked'] : [];
      },
    };
  },
};

const removeSite: Scene = {
  name: 'site removed',
  async prepare(world): Promise<Act> {
    const { db, watch, clock, runs } = world;
    const { id: accountId } = await addAccount(watch);
    const { id: siteId } = await addSite(watch, accountId);
    for (let number = 1; number <= 2; number += 1) await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
    const removal = siteRemoval({ db, clock });
    // Once it is marked it is gone for its holder, too.
    const isGone = (error: unknown) => error instanceof ServiceError && error.code === 'site_not_found';
    const remove = () =>
      findOwnSite(db, { accountId, siteId })
        .then((site) => removal.removeOwn(site))
        .catch((error: unknown) => (isGone(error) ? null : Promise.reject(error as Error)));
    return {
      run: () => outcomeOf(remove()),
      async check(outcomes) {
        await eraseMarked(watch);
        const left = await askNumber(world, `SELECT count(*) AS n FROM runs WHERE site_id = '${siteId}'`);
        const site = await askNumber(world, `SELECT count(*) AS n FROM sites WHERE id = '${siteId}'`);
        if (left !== 2 * site) return [`${left} runs of ${site} sites are left`];
        return outcomes.includes('done') && site === 1 ? ['the site is there although it was removed'] : [];
      },
    };
  },
};

export const API_SCENES: readonly Scene[] = [
  createRun,
  createRunOnce,
  readScene('getRun', '1'),
  readScene('getLatestRun', 'latest'),
  revokeKey,
  removeSite,
];
