import { alertAddress } from '../../../src/app/alerts/deliveries.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { setSiteMail } from '../../../src/app/sites/site-settings.js';
import { PUBLIC_URL } from '../../support/services.js';
import { BROKEN, deliverFor, deliveries, FINE, openWatchedSite } from '../../support/alerts.js';
import { onEitherDatabase } from '../../support/databases.js';

onEitherDatabase(async (t, engine) => {
  t.test('alerts by e-mail go to the account, once for a change', async (t) => {
    const { db, scene, site, account, ref, breakSite } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.remove(ref);
    t.equal(await alertAddress(db, account.id), null, 'off at first');
    await breakSite();
    t.same(await scene.jobs(), []);
    await scene.webhooks.setEmailAlerts(account.id, true);
    t.equal(await alertAddress(db, account.id), account.email);
    await scene.run(site.id, BROKEN);
    t.same(await scene.jobs(), [], 'what had changed before they were on is not news');
    scene.mailOutcome = 'failed';
    await scene.run(site.id, { ...FINE, c: 'FAIL', d: 'FAIL' });
    await scene.deliverDue();
    scene.mailOutcome = 'sent';
    scene.pass(10_000);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
    t.same(scene.mails[1], scene.mails[0], 'the same at each attempt');
    t.match(scene.mails[0], {
      to: account.email,
      subject: /^shop\.example\.com: title of c, .*1 more /,
      id: /^msg_/,
    });
    const text = scene.mails[0]?.text ?? '';
    for (const part of [
      '- Failed: title of c',
      '- Failed: title of d',
      '- Fixed: title of b',
      'Score: 50, before: 75 (run CR-',
      `${PUBLIC_URL}/sites/${site.id}/runs/4`,
      `${PUBLIC_URL}/alerts`,
    ]) {
      t.match(text, part);
    }
    await scene.webhooks.setEmailAlerts(account.id, false);
    await scene.run(site.id, FINE);
    await scene.deliverDue();
    t.equal(scene.mails.length, 2);
  });

  t.test('a site whose mails are off sends no mail, and its webhooks still get messages', async (t) => {
    const { db, scene, site, account, receiver, breakSite } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.setEmailAlerts(account.id, true);
    const context = { db, clock: scene.clock };
    const own = await findOwnSite(db, { accountId: account.id, siteId: site.id });
    await setSiteMail(context, own, false);
    await breakSite();
    await scene.deliverDue();
    t.same([scene.mails.length, receiver.messages.length], [0, 1]);
    await setSiteMail(context, own, true);
    await scene.run(site.id, FINE);
    await scene.deliverDue();
    t.same([scene.mails.length, receiver.messages.length], [1, 2]);
  });

  t.test('a message names the commit, and no other label of the caller', async (t) => {
    const { scene, site, account, ref } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.remove(ref);
    await scene.webhooks.setEmailAlerts(account.id, true);
    await scene.run(site.id, FINE);
    await scene.run(site.id, BROKEN, { label: 'canary-label', commit: `4f2a1c9${'d'.repeat(33)}` });
    await scene.run(site.id, FINE, { label: 'canary-label', commit: 'canary-commit' });
    await scene.deliverDue();
    const [broken, fixed] = scene.mails;
    t.match(broken?.subject, / 4f2a1c9$/);
    t.match(broken?.subject, site.hostname);
    t.notMatch(fixed?.subject, 'commit');
    t.notMatch(JSON.stringify(scene.mails), /canary|d{33}/);
  });

  t.test('a mail on its way ends with the alerts, with a refused address, or after ten attempts', async (t) => {
    const { db, scene, site, account, ref } = await openWatchedSite(t, await engine.openDb(t));
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
    await deliverFor(scene, 96);
    t.same(await states(), ['failed 1', 'failed 10']);
    await scene.run(site.id, BROKEN);
    await scene.webhooks.setEmailAlerts(account.id, false);
    await scene.deliverDue();
    t.same(await states(), ['failed 1', 'failed 10', 'failed 1']);
    t.equal(scene.mails.length, 11);
  });
});
