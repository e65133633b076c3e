import t from 'tap';
import { readHeadMetas } from '../../../src/scanner/parsers/verification-meta.js';
import { addAccount, tokenOf } from '../../support/accounts.js';
import { onSqlite } from '../../support/databases.js';
import { openServices } from '../../support/services.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/visit-site.js';

onSqlite(async (t, engine) => {
  t.test('a record proves ownership only if it is the token', async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db);
    const cases: [about: string, recordsOf: (token: string) => readonly string[], isProof: boolean][] = [
      ['one of several records', (token) => ['v=spf1 -all', token], true],
      ['a half each', (token) => [token.slice(0, 20), token.slice(20)], false],
      ['more than the token', (token) => [`${token}x`], false],
      ['in capitals', (token) => [token.toUpperCase()], false],
    ];
    let records: readonly string[] = [];
    const { sites, ownership } = openServices(db, {
      resolveTxt: ownershipRecords(() => records),
      openVisit: async () => visitWithoutAnswers(),
    });
    const site = await sites.add({ accountId, site: 'shop.example.com' });
    for (const [about, recordsOf, isProof] of cases) {
      records = recordsOf(await tokenOf(db, site));
      t.equal((await ownership.verify(site, 'operator')).provedBy, isProof ? 'dns' : null, about);
    }
  });
});

t.test('a meta tag counts only in the head, however a visitor may have written it', async (t) => {
  const name = 'agent-readiness-verification';
  const meta = `<meta name="${name}" content="token">`;
  const none = [
    `<head><!-- ${meta} -->`,
    `<head><script>${meta}</script>`,
    `<head><style>${meta}</style>`,
    `<head><title>${meta}</title>`,
    `<head><template>${meta}</template>`,
    `<head><template><template></template>${meta}</template>`,
    `<head><meta name=description content='">${meta}'>`,
    `<head><svg>${meta}</svg>`,
    `<head><textarea>${meta}</textarea>`,
    `<head><iframe srcdoc='${meta}'></iframe>`,
    `<head></head>${meta}`,
    `<p>${meta}`,
    `a word ${meta}`,
    `<head>&nbsp;${meta}`,
    `<head>\u2003${meta}`,
    `<head>a\uFEFF${meta}`,
    `<head>\uFEFF${meta}`,
  ];
  for (const html of none) t.strictSame(readHeadMetas(html, name), [], html);
  for (const html of [meta, `<head>${meta}`, `\uFEFF<!doctype html>\r\n\t <head>\f${meta}`]) {
    t.strictSame(readHeadMetas(html, name), ['token'], html);
  }
  t.strictSame(readHeadMetas(`<meta name="x" name="${name}" content="token">`, name), [], 'the first name counts');
});
