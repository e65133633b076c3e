import { defineQuery } from '../../../src/store/query.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { DeployHooks } from '../../../src/app/automation/deploy-hooks.js';
import { isLabel } from '../../../src/platform/label.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { textOf } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { wordsOf } from '../../support/page-words.js';
import { accountData } from '../../support/removal.js';
import { BROKEN, FINE, HOUR_MS, openWatchedSite } from '../../support/watched-site.js';
import { startWeb } from '../../support/web.js';
import { PAYLOADS } from '../../e2e/payloads.js';

/** In every payload, and in nothing of ours. */
const MARK = 'xss()';
/** Where it would run. */
const IN_A_TAG = /<[a-z!/][^>]*xss\(\)/i;

const turnMailOn = defineQuery<never, { id: string; at: string }>((sql, { id, at }) =>
  sql('accounts').where({ id }).update({ email_alerts_since: at }),
);

onEitherDatabase(async (t, engine) => {
  t.test('what a caller names a run stands on the pages of its owner as text, and in the export alone', async (t) => {
    const db = await engine.openDb(t);
    const { receiver, scene, account, site, webhook } = await openWatchedSite(t, db);
    await db.run(turnMailOn({ id: account.id, at: scene.clock.now().toISOString() }));
    for (const [index, payload] of PAYLOADS.entries()) {
      t.ok(isLabel(payload), 'a caller may give it');
      await scene.run(site.id, index % 2 === 0 ? FINE : BROKEN, { label: payload, commit: payload });
      await scene.deliverDue();
      scene.pass(HOUR_MS);
    }
    t.ok(receiver.messages.length >= PAYLOADS.length - 1, 'each run but the first has something to tell');
    t.equal(scene.mails.length, receiver.messages.length);
    t.notMatch(JSON.stringify([receiver.messages, scene.mails]), MARK, 'in no alert and no mail');

    const own = { accountId: account.id, siteId: site.id };
    const hooks = new DeployHooks({ db, clock: scene.clock });
    const { token } = await hooks.create(own);
    t.notMatch(JSON.stringify(await hooks.status(token)), MARK, 'nor does the deploy hook answer with it');
    const latest = await createRuns({ db, clock: scene.clock, performRun: () => Promise.reject(new Error()) }).latest(
      own,
    );
    t.notMatch(textOf(latest.body), MARK, 'nor the API');

    const web = await startWeb(t, db);
    const member = await web.newMember(account);
    const at = `/sites/${site.id}`;
    const { latestNumber } = await findOwnSite(db, own);
    const numbers = Array.from({ length: latestNumber }, (_, index) => index + 1);
    const shown = new Set<string>();
    for (const path of [
      ...['/sites', at, `${at}/runs`, `${at}/automation`, `${at}/settings`, '/alerts'],
      ...[`/alerts/webhooks/${webhook.id}`, '/account', '/account/activity'],
      ...numbers.map((number) => `${at}/runs/${number}`),
      ...numbers.slice(1).map((number) => `${at}/compare?from=${number - 1}&to=${number}`),
    ]) {
      const { status, text } = await member.get(path);
      t.equal(status, 200, path);
      t.notMatch(text, IN_A_TAG, `${path}: nothing unescaped`);
      t.notMatch(/<title>[^<]*/.exec(text)?.[0], MARK, 'no title has it');
      if (wordsOf(text).includes(MARK)) shown.add(path);
    }
    t.ok(shown.has(`${at}/runs`) && shown.has(`${at}/runs/1`) && shown.has(`${at}/compare?from=1&to=2`), 'it is shown');
    t.notOk(shown.has('/sites') || shown.has('/alerts') || shown.has('/account/activity'));
    t.notMatch((await member.get(`${at}/runs/1.json`)).text, MARK, 'the run as a file is what the API says');

    const labels = [];
    for await (const line of accountData({ db, clock: scene.clock }).exportAll(account.id)) {
      const { type, label } = JSON.parse(line) as { readonly type: string; readonly label?: object };
      if (type === 'run') labels.push(label);
      else t.notMatch(line, MARK, `nothing in a line of ${type}`);
    }
    t.same(
      labels,
      PAYLOADS.map((payload) => ({ label: payload, commit: payload })),
      'the export has each as it was given',
    );
  });
});
