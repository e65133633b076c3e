import { cleanUp } from '../../../src/app/cleanups.js';
import { setSchedule, setSchedules } from '../../../src/app/automation/schedules.js';
import { acceptFailure, removeAcceptance } from '../../../src/app/triage/accepted-failures.js';
import { webhooksOf } from '../../support/alerts.js';
import { actAs, type AuditEvent, ownerActor, readEvents, recordEvent } from '../../../src/app/audit/audit.js';
import { BADGE, publish, withdraw } from '../../../src/app/publications/publications.js';
import { createHook, removeHook } from '../../../src/app/automation/deploy-hooks.js';
import { choosePages, setPlatform, changeTags } from '../../../src/app/sites/site-settings.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addPerson, addSite } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { finishRun } from '../../support/runs.js';
import { GOOD_PASSWORD, OTHER_PASSWORD } from '../../support/passwords.js';
import { openServices } from '../../support/services.js';
import { insertRow, rowsOf, updateRows } from '../../support/tables.js';
import { createTestLogger } from '../../support/test-logger.js';

const HOLDER = ownerActor('::ffff:192.0.2.7');

/** In place of an event: repeating the change is not a change. */
const SAME_AGAIN = 'the same again';

async function prepare(db: Database) {
  const services = openServices(db);
  const { clock, signIn } = services;
  const person = await addPerson(db, clock, { signIn });
  const accountId = person.account.id;
  const all = async (): Promise<readonly AuditEvent[]> => {
    await signIn.settle();
    return (await readEvents(db, accountId)).events;
  };
  let seen = new Set((await all()).map(({ id }) => id));
  /** Returns the events that one action of the holder records. */
  const left = async (work: () => Promise<unknown>) => {
    const result = await Promise.allSettled([actAs(HOLDER, work)]);
    const events = (await all()).filter(({ id }) => !seen.has(id));
    seen = new Set((await all()).map(({ id }) => id));
    const lines = events.map(({ event, subject, actor, address }) => [event, subject, actor, address].join(' ')).sort();
    return { lines, isRefused: result[0].status === 'rejected' };
  };
  return { ...services, ...person, accountId, all, left };
}

onEachDatabase(async (t, engine) => {
  t.test('each change of access or data records one event: what, who, from where', async (t) => {
    const db = await engine.openDb(t);
    const { signIn, accounts, keys, sites, accountId, email, left, ...deps } = await prepare(db);
    const webhooks = webhooksOf({ ...deps, vetWebhook: async () => null });
    const { apiKey } = await keys.create({ accountId, name: 'Nightly' });
    const { id: siteId } = await sites.add({ accountId, site: 'shop.example.com' });
    const site = { accountId, siteId };
    const siteIds: string[] = [];
    for (const hostname of ['a.example', 'b.example']) siteIds.push((await addSite(db, accountId, { hostname })).id);
    const many = { accountId, siteIds };
    const ofSite = { accountId, scope: 'shop.example.com' };
    const { webhook } = await webhooks.add({ accountId, url: 'https://hooks.example.com/secret' });
    const link = await accounts.createSignInLink(accountId);
    const guess = { email, clientAddress: '192.0.2.7' };
    const change = { accountId, current: GOOD_PASSWORD };
    const failure = { ...site, checkId: 'C-MD-01', errorType: 'MISSING' as const };
    await finishRun(deps, site, [finding({ checkId: 'C-MD-01', result: 'FAIL' })]);
    const session = await signIn.withPassword({ ...guess, password: GOOD_PASSWORD });
    await left(async () => undefined);
    const by = 'holder 192.0.2.7';
    const endOneFrom = async (from: string | null): Promise<void> => {
      const found = (await signIn.listSessions(accountId)).find(({ address }) => address === from);
      t.ok(await signIn.signOutSession({ accountId, sessionId: found?.id ?? '' }));
    };
    const cases: [work: () => Promise<unknown>, ...lines: string[]][] = [
      [() => signIn.useLink({ token: link.token, password: '' }), 'signed_in one-time link'],
      [() => signIn.withPassword({ ...guess, password: GOOD_PASSWORD }), 'signed_in password'],
      [() => signIn.signOut(session.token), 'signed_out ', SAME_AGAIN],
      [() => endOneFrom(null), 'signed_out another session'],
      [() => endOneFrom('192.0.2.7'), 'signed_out session from 192.0.2.7'],
      [() => signIn.signOutSession({ accountId, sessionId: 'none' })],
      [() => signIn.signOutOthers({ accountId, token: session.token }), 'signed_out_elsewhere '],
      [() => signIn.signOutEverywhere(accountId), 'signed_out_everywhere '],
      [() => signIn.changePassword({ ...change, password: OTHER_PASSWORD }), 'password_changed '],
      [() => accounts.createSignInLink(accountId), 'sign_in_link_created '],
      [() => accounts.setPlan(accountId, 'scale'), 'plan_changed SCALE'],
      [() => keys.revoke(apiKey.id, accountId), `key_revoked Nightly (${apiKey.hint}…)`, SAME_AGAIN],
      [() => sites.add({ accountId, site: 'blog.example.com' }), 'site_added blog.example.com'],
      [() => sites.markVerified(siteId, 'dns'), 'site_verified shop.example.com', SAME_AGAIN],
      [() => sites.markVerified(siteId, 'operator'), 'ownership_forced shop.example.com', SAME_AGAIN],
      [() => createHook(deps, site), 'deploy_hook_created shop.example.com'],
      [() => removeHook(deps, site), 'deploy_hook_removed shop.example.com', SAME_AGAIN],
      [() => setSchedule(deps, site, 'DAILY'), 'schedule_set shop.example.com: daily', SAME_AGAIN],
      [() => setSchedule(deps, site, 'WEEKLY'), 'schedule_set shop.example.com: weekly'],
      [() => setSchedule(deps, site, null), 'schedule_removed shop.example.com', SAME_AGAIN],
      [() => publish(deps, site, BADGE), 'badge_turned_on shop.example.com'],
      [() => publish(deps, site, BADGE), 'badge_renewed shop.example.com'],
      [() => withdraw(deps, site, BADGE), 'badge_turned_off shop.example.com', SAME_AGAIN],
      [() => webhooks.setEmailAlerts(accountId, true), 'email_alerts_turned_on ', SAME_AGAIN],
      [() => webhooks.setEmailAlerts(accountId, false), 'email_alerts_turned_off ', SAME_AGAIN],
      [() => updateRows(db, 'webhooks', {}, { disabled_at: '2026-03-15T12:00:00.000Z' })],
      [() => webhooks.enable({ accountId, webhookId: webhook.id }), 'webhook_enabled hooks.example.com', SAME_AGAIN],
      [() => webhooks.add({ accountId, url: 'https://b.example.com/' }), 'webhook_added b.example.com'],
      [() => webhooks.remove({ accountId, webhookId: webhook.id }), 'webhook_removed hooks.example.com'],
      [() => acceptFailure(deps, { ...failure, reason: 'for now' }), 'failure_accepted C-MD-01 on shop.example.com'],
      [() => removeAcceptance(deps, failure), 'acceptance_removed C-MD-01 on shop.example.com', SAME_AGAIN],
      [() => webhooks.add({ ...ofSite, url: 'https://c.example.com/x' }), 'webhook_added c.example.com'],
      [() => setSchedules(deps, many, 'DAILY'), 'schedule_set a.example: daily', 'schedule_set b.example: daily'],
      [
        () => changeTags(deps, accountId, siteIds, () => ['x']),
        'tags_changed a.example: x',
        'tags_changed b.example: x',
      ],
      [() => deps.siteRemoval.removeMany(accountId, siteIds), 'site_removed a.example', 'site_removed b.example'],
      [
        async () => choosePages(deps, await findOwnSite(db, site), '/a'),
        'pages_chosen shop.example.com: 1 page',
        SAME_AGAIN,
      ],
      [async () => choosePages(deps, await findOwnSite(db, site), ''), 'pages_chosen shop.example.com: no pages'],
      [
        async () => setPlatform(deps, await findOwnSite(db, site), 'Wix'),
        'platform_changed shop.example.com: Wix',
        SAME_AGAIN,
      ],
      [
        async () => deps.siteRemoval.removeOwn(await findOwnSite(db, site)),
        ...['site_removed shop.example.com', 'webhook_removed c.example.com'],
      ],
      [() => deps.accountData.exportAll(accountId)[Symbol.asyncIterator]().next(), 'data_exported '],
    ];
    for (const [work, ...changes] of cases) {
      const lines = changes.flatMap((change) => (change === SAME_AGAIN ? [] : [`${change} ${by}`]));
      t.same(await left(work), { lines, isRefused: false }, lines[0] ?? String(work));
      if (!changes.includes(SAME_AGAIN)) continue;
      t.same(await left(work), { lines: [], isRefused: false }, `${lines[0]}, again`);
    }
    const { apiKey: made } = await keys.create({ accountId, name: 'CI' });
    const { lines } = await left(async () => undefined);
    t.same(lines, [`key_created CI (${made.hint}…) service `], 'by the service itself');
  });

  t.test('a refused change records nothing', async (t) => {
    const { db, signIn, sites, keys, accountId, left } = await prepare(await engine.openDb(t));
    await sites.add({ accountId, site: 'shop.example.com' });
    const { apiKey } = await keys.create({ accountId: (await addAccount(db)).id, name: 'theirs' });
    await left(async () => undefined);
    for (const refused of [
      () => sites.add({ accountId, site: 'shop.example.com' }),
      () => keys.revoke(apiKey.id, accountId),
      () => signIn.useLink({ token: 'x', password: '' }),
    ]) {
      t.same(await left(refused), { lines: [], isRefused: true });
    }
  });

  t.test('the first wrong password of each hour is an event', async (t) => {
    const { clock, signIn, all, email, accountId } = await prepare(await engine.openDb(t));
    const guess = async (address: string) => {
      await actAs(ownerActor(address), () =>
        signIn.withPassword({ email, password: OTHER_PASSWORD, clientAddress: address }).catch(() => undefined),
      );
      await signIn.settle();
    };
    for (const address of ['192.0.2.1', '192.0.2.2', 'no address', '2001:db8::1']) await guess(address);
    const confirm = { accountId, current: OTHER_PASSWORD };
    clock.set('2026-03-15T12:59:00.000Z');
    await actAs(ownerActor('192.0.2.4'), () => signIn.confirmPassword(confirm)).catch(() => undefined);
    await signIn.settle();
    clock.set('2026-03-15T13:00:00.000Z');
    await guess('192.0.2.9');
    await signIn.withPassword({ email: 'nobody@example.com', password: '', clientAddress: '' }).catch(() => undefined);
    const wrong = (await all()).filter(({ event }) => event === 'wrong_password');
    t.match(wrong, [
      { actor: 'unknown', address: '192.0.2.9', at: '2026-03-15T13:00:00.000Z' },
      { actor: 'unknown', address: '192.0.2.1' },
    ]);
  });

  t.test("events older than a year are deleted, by the database's clock", async (t) => {
    const { db, accountId } = await prepare(await engine.openDb(t));
    const atDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const days of [364, 366]) {
      const event = { account_id: accountId, at: atDaysAgo(days), event: 'signed_in', actor: 'holder' };
      await insertRow(db, 'audit_events', { ...event, id: `evt_${days}` });
    }
    const aheadOfDatabase = new Date(Date.now() + 3 * 86_400_000);
    await cleanUp(db, aheadOfDatabase, 90);
    const ids = (await rowsOf(db, 'audit_events')).map((row) => (row as AuditEvent).id);
    t.ok(ids.includes('evt_364'));
    t.notOk(ids.includes('evt_366'));
  });

  t.test('no event follows the removal of its account, and any cursor is read', async (t) => {
    const { db, clock, accountId, left } = await prepare(await engine.openDb(t));
    const stranger = await addPerson(db, clock);
    for (const before of ['\0', '2026-01-01 \0', '2026-01-01\n', 'é', '\ud800'])
      t.same(await readEvents(db, accountId, before), await readEvents(db, accountId), 'no place, so the end');
    const { logger, log } = createTestLogger();
    const { accountData: data } = openServices(db, { clock, logger });
    await left(() => data.removeOwn(accountId));
    t.match(log, [{ msg: 'account removed', accountId, by: 'holder' }]);
    await db.transaction((tx) => recordEvent(tx, { accountId, event: 'key_created', now: clock.now() }));
    t.same((await readEvents(db, accountId)).events, []);
    t.equal((await rowsOf(db, 'audit_events')).length, (await readEvents(db, stranger.account.id)).events.length);
  });
});
