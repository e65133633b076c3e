import { applyPlanToSchedules } from '../../src/app/automation/schedules.js';
import { BADGE, publish } from '../../src/app/publications/publications.js';
import { createAccounts } from '../../src/app/accounts/accounts.js';
import { TEST_PASSWORD } from '../support/passwords.js';
import { METRICS_TOKEN } from './fuzz-house.js';
import { namesOf, type Scene } from './fuzz-scene.js';
import type { World } from './fuzz-world.js';

/** Somebody who is signed in and has one of everything: their cookie, and the ids and secrets of their things by name. */
export async function addMember(world: World): Promise<Scene> {
  const { db, clock, services } = world;
  const account = await world.addAccount('SCALE');
  const [site, key] = [await world.addSite(account), await world.addKey(account)];
  const accountId = account.id;
  const link = await createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules }).createSignInLink(accountId);
  const unused = await services.signIn.useLink({ token: link.token, password: TEST_PASSWORD });
  const another = await createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules }).createSignInLink(accountId);
  const { webhook } = await services.webhooks.add({ accountId, url: 'https://hooks.example.com/' });
  const delivery = await services.webhooks.sendTest({ accountId, webhookId: webhook.id });
  const hook = await services.deployHooks.create({ accountId, siteId: site.id });
  const badge = await publish({ db, clock }, { accountId, siteId: site.id }, BADGE);
  const report = await publish({ db, clock }, { accountId, siteId: site.id }, { kind: 'report', number: null });
  for (let count = 0; count < 2; count += 1) {
    const run = await services.runs.start({ accountId, siteId: site.id, trigger: 'MANUAL' });
    site.runs.push(Buffer.from(run.body).toString());
  }
  const names = { cookie: unused.token, link: another.token, key: key.id, webhook: webhook.id, delivery: delivery.id };
  const texts = { ...names, hook: hook.token, badge, report, metrics: METRICS_TOKEN, password: TEST_PASSWORD };
  return {
    ...namesOf(site, key),
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, () => text])),
  };
}
