import { gunzipSync } from 'node:zlib';
import type { KeptEvidence } from '../../../src/scanner/trace/kept-evidence.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { type FakeSecret, FAKE_SECRETS, seenOf } from '../../support/fake-secrets.js';
import { finding } from '../../support/findings.js';
import type { FixtureSite } from '../../support/fixture-site.js';
import { scanKeeping } from '../../support/golden.js';
import { startWeb } from '../../support/web.js';

const CHECK_ID = 'C-BOT-01';
const RULES = 'User-agent: *\nDisallow: /\n';

/** So many characters behind the rule that fails are quoted. */
const QUOTED_CHARS = 1200;

/** As many as are quoted together, or one that is longer. */
const GROUPS = FAKE_SECRETS.reduce<FakeSecret[][]>((groups, secret) => {
  const last = groups.at(-1) ?? [];
  const chars = last.reduce((sum, { text }) => sum + text.length + 1, secret.text.length);
  return chars <= QUOTED_CHARS ? [...groups.slice(0, -1), [...last, secret]] : [...groups, [secret]];
}, []);

/** A site that leaks in its robots.txt, alongside the rule that fails. */
const leaking = (secrets: readonly FakeSecret[]): FixtureSite => ({
  routes: {
    '/': '<!doctype html><title>Shop</title>',
    '/robots.txt': `${RULES}${secrets.map(({ text }) => `${text}\n`).join('')}`,
  },
});

/** The one answer of each that is quoted, as if one failure rested on all of them. */
function merge(all: readonly KeptEvidence[]): KeptEvidence {
  const quoted = all.flatMap(({ exchanges, findings }) => {
    const own = findings.find(({ checkId }) => checkId === CHECK_ID);
    const one = own?.restsOn.find(({ excerpt }) => excerpt?.text.startsWith(RULES));
    const exchange = one && exchanges[one.exchange];
    return exchange ? [{ exchange, one }] : [];
  });
  const restsOn = quoted.map(({ one }, index) => ({ ...one, exchange: index }));
  const exchanges = quoted.map(({ exchange }) => exchange);
  return { exchanges, findings: [{ checkId: CHECK_ID, restsOn, omittedCount: 0 }], isCut: false };
}

const kept: KeptEvidence[] = [];
for (const group of GROUPS) {
  const { evidence } = await scanKeeping(leaking(group));
  if (evidence) kept.push(evidence);
}
const evidence = merge(kept);

onEachDatabase(async (t, { openDb }) => {
  t.test('no shape of secret reaches the page of the evidence, nor its file', async (t) => {
    const failed = finding({ checkId: CHECK_ID, result: 'FAIL', errorType: 'BLOCKED' });
    const scan: Scanner = async () => ({ ...scanReport(50), findings: [failed], evidence });
    const db = await openDb(t);
    const { newMember, runs } = await startWeb(t, db, { scan });
    const member = await newMember();
    const site = await addSite(db, member.account.id);
    await runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
    const path = `/sites/${site.id}/runs/1/evidence`;
    const page = (await member.get(`${path}/${CHECK_ID}`)).text;
    const file = gunzipSync((await member.get(`${path}.warc.gz`)).bytes).toString();
    for (const shown of [page, file]) {
      t.equal(shown.split('User-agent: *').length - 1, GROUPS.length, 'each file is quoted');
      const missed = FAKE_SECRETS.filter((secret) => seenOf(secret, shown).length > 0);
      t.same(
        missed.map(({ shape }) => shape),
        [],
        `of ${FAKE_SECRETS.length}`,
      );
    }
  });
});
