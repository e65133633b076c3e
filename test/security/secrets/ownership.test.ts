import { createServer, type RequestListener } from 'node:http';
import t, { type Test } from 'tap';
import { createResolver } from '../../../src/net/resolver.js';
import { readHeadMetas } from '../../../src/scanner/parsers/verification-meta.js';
import { createOwnership, type OwnershipReport } from '../../../src/app/sites/ownership.js';
import { createSites } from '../../../src/app/sites/sites.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, TestClock, tokenOf } from '../../support/accounts.js';
import { onEachDatabase, onSqlite } from '../../support/databases.js';
import { startDnsServer } from '../../support/dns-server.js';
import { listen } from '../../support/servers.js';
import { openScene, PUBLIC_ADDRESS, PUBLIC_HOST } from '../../support/network-scene.js';

const FILE = '/.well-known/agent-readiness-verification.txt';

/** Opens a site that two accounts have added, with a real web server and name server. */
async function openWorld(t: Test, db: Database, site: RequestListener, txt: (mine: string) => readonly string[][]) {
  const { port, close } = await listen(createServer(site), PUBLIC_ADDRESS);
  t.teardown(close);
  const clock = new TestClock();
  const sites = createSites({ db, clock, vetSite: () => true });
  const add = async () => sites.add({ accountId: (await addAccount(db)).id, site: `http://${PUBLIC_HOST}:${port}` });
  const [mine, theirs] = [await add(), await add()];
  const token = await tokenOf(db, mine);
  const dns = await startDnsServer({ [`_agent-readiness.${PUBLIC_HOST}`]: { TXT: txt(token) } });
  t.teardown(() => dns.close());
  const { visit } = await openScene(t, { ports: [port] });
  const { resolveTxt } = createResolver({ servers: [dns.address], timeoutMs: 2000 });
  const openVisit = async () => ({ visit, close: async () => undefined });
  return { ownership: createOwnership({ db, clock, resolveTxt, openVisit }), mine, theirs, token };
}

const proofs = ({ attempts }: OwnershipReport) =>
  Object.fromEntries(attempts.map(({ method, isProof }) => [method, isProof]));

onEachDatabase(async (t, engine) => {
  t.test('what one account publishes in every place proves nothing for another', async (t) => {
    let published = '';
    const serve: RequestListener = ({ url }, response) =>
      response.end(
        url === FILE ? published : `<head><meta name="agent-readiness-verification" content="${published}">`,
      );
    const { ownership, mine, theirs, token } = await openWorld(t, await engine.openDb(t), serve, (own) => [[own]]);
    published = token;
    const refused = await ownership.verify(theirs, 'operator');
    t.equal(refused.provedBy, null);
    t.equal(refused.site.verifiedAt, null);
    t.strictSame(proofs(refused), { dns: false, domain: false, file: false, meta: false });
    t.notOk(JSON.stringify(refused).includes(token), 'nor is it told');
    const proved = await ownership.verify(mine, 'operator');
    // The record of a host does not prove its domain. Once DNS proves the host, the site gets no request.
    t.strictSame(proofs(proved), { dns: true, domain: false });
  });
});

onSqlite(async (t, engine) => {
  t.test('a record in pieces is one text; two records are not', async (t) => {
    for (const [about, split, isProof] of [
      ['pieces of one record', (token: string) => [[token.slice(0, 20), token.slice(20)]], true],
      ['one of several records', (token: string) => [['v=spf1 -all'], [token]], true],
      ['a half each', (token: string) => [[token.slice(0, 20)], [token.slice(20)]], false],
      ['more than the token', (token: string) => [[token, 'x']], false],
      ['in capitals', (token: string) => [[token.toUpperCase()]], false],
    ] as const) {
      const nothing: RequestListener = (_, response) => response.writeHead(404).end();
      const { ownership, mine } = await openWorld(t, await engine.openDb(t), nothing, split);
      t.equal((await ownership.verify(mine, 'operator')).provedBy, isProof ? 'dns' : null, about);
    }
  });
});

t.test('a meta tag counts in the head alone, however a visitor of the site may have written it', async (t) => {
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
