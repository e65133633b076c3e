import { utcMonth } from '../../src/platform/clock.js';
import { newId } from '../../src/platform/ids.js';
import type { Database } from '../../src/store/database.js';
import { addPerson, addSite, scanReport, type TestClock } from './accounts.js';
import { ANSWER, evidenceFor, GAINS, LABEL, NOTES, PAGES } from './reports.js';
import { openServices } from './services.js';
import { insertRow, updateRows } from './tables.js';

export const STORED_SECRETS = {
  webhook: 'whsec_c2VjcmV0',
  badge: 'token-of-the-badge',
  report: 'token-of-the-report',
  hook: 'digest-of-the-hook',
};

/** Adds an account with rows in every table of accounts, and two sites, of which the first has `runCount` scheduled runs. */
export async function addFullAccount(db: Database, clock: TestClock, { runCount = 3 } = {}) {
  const person = await addPerson(db, clock);
  const accountId = person.account.id;
  const found = { notes: NOTES, gains: GAINS, answer: ANSWER, pages: PAGES, evidence: evidenceFor('C-LLMS-01') };
  const { keys, runs } = openServices(db, { clock, scan: async () => ({ ...scanReport(), ...found }) });
  const { apiKey, key } = await keys.create({ accountId, name: 'deployment' });
  const hostnames = ['shop.example.com', 'blog.example.com'];
  const sites = [];
  for (const hostname of hostnames) sites.push(await addSite(db, accountId, { hostname }));
  await insertRow(db, 'key_usage', { key_id: apiKey.id, month: utcMonth(clock.now()), used: 12 });
  const webhookId = newId('wh');
  const now = clock.now().toISOString();
  const url = 'https://hooks.example.com/';
  const webhook = { id: webhookId, account_id: accountId, url, secret: STORED_SECRETS.webhook, created_at: now };
  await insertRow(db, 'webhooks', webhook);
  for (const [index, { id: siteId }] of sites.entries()) {
    const scheduled = index === 0 ? runCount : 1;
    for (let count = 0; count < scheduled; count += 1)
      await runs.start({ accountId, siteId, trigger: 'SCHEDULED', label: LABEL });
    await runs.start({ accountId, siteId, trigger: 'MANUAL' });
    const claim = { key_id: apiKey.id, site_id: siteId, digest: 'd', expires_at: now };
    await insertRow(db, 'idempotency_keys', { ...claim, number: 1 });
    await addAutomation(db, { accountId, siteId, webhookId, now });
  }
  await addDelivery(db, { accountId, siteId: null, webhookId, now });
  await insertRow(db, 'sign_in_links', { digest: `link ${accountId}`, account_id: accountId, expires_at: now });
  await insertRow(db, 'jobs', {
    ...{ queue: 'account-mails', kind: 'ACCOUNT_MAIL', key: newId('msg'), account_id: accountId },
    ...{ requested_at: now, run_after: now, payload: JSON.stringify({ kind: 'PASSWORD_CHANGED', accountId, at: now }) },
  });
  const ids = [accountId, person.email, ...sites.map(({ id }) => id), apiKey.id, webhookId];
  return { ...person, accountId, sites, keyId: apiKey.id, key, webhookId, runs, ids };
}

interface Place {
  readonly accountId: string;
  readonly siteId: string;
  readonly webhookId: string;
  readonly now: string;
}

async function addAutomation(db: Database, { accountId, siteId, webhookId, now }: Place): Promise<void> {
  await insertRow(db, 'schedules', { site_id: siteId, frequency: 'DAILY', next_run_at: '2026-03-16T00:00:00.000Z' });
  await insertRow(db, 'jobs', {
    ...{ queue: 'runs', kind: 'SCHEDULED', key: siteId, site_id: siteId, account_id: accountId },
    ...{ requested_at: now, run_after: now },
  });
  const created = { site_id: siteId, created_at: now };
  await insertRow(db, 'deploy_hooks', { ...created, digest: `${STORED_SECRETS.hook} ${siteId}` });
  for (const [number, kind] of (['badge', 'report'] as const).entries())
    await insertRow(db, 'publications', { ...created, kind, number, token: `${STORED_SECRETS[kind]} ${siteId}` });
  const found = { site_id: siteId, check_id: 'C-MD-01', error_type: 'MISSING' };
  await insertRow(db, 'accepted_failures', { ...found, check_id: 'C-LLMS-01', reason: 'for now', accepted_at: now });
  const recheck = { ...found, run_number: 1, started_at: now, finished_at: now };
  await insertRow(db, 'rechecks', { ...recheck, result: 'FAIL', detail: 'It answers 404.' });
  await updateRows(db, 'sites', { id: siteId }, { chosen_pages: '["/pricing","/gone"]' });
  await addDelivery(db, { accountId, siteId, webhookId, now });
  await addDelivery(db, { accountId, siteId, webhookId: null, now, isWaiting: true });
}

interface Delivery extends Pick<Place, 'accountId' | 'now'> {
  readonly siteId: string | null;
  readonly webhookId: string | null;
  readonly isWaiting?: boolean;
}

/** Adds a message that was delivered, unless it still waits. */
export async function addDelivery(db: Database, delivery: Delivery): Promise<string> {
  const { accountId, siteId, webhookId, now, isWaiting = false } = delivery;
  const id = newId('msg');
  await insertRow(db, 'deliveries', {
    ...{ id, account_id: accountId, site_id: siteId, webhook_id: webhookId, body: '{"type":"site.changed"}' },
    ...{ event: siteId === null ? 'test' : 'site.changed', created_at: now },
    ...(isWaiting ? { state: 'waiting', attempts: 0 } : { state: 'delivered', attempts: 1, answer_status: 200 }),
  });
  return id;
}
