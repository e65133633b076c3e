import { ResponseHeaders } from '../../../src/net/transport.js';
import { detectChallenge } from '../../../src/scanner/client/challenge.js';
import type { Fetched } from '../../../src/scanner/client/visit.js';
import { consume, limitOf } from '../../../src/app/limits/limits.js';
import type { ProofMethod } from '../../../src/app/sites/proof.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';
import { visitBy } from '../../support/visit-site.js';

/** What a URL answers: a body, a redirect (by default 302), a status, or nothing. */
type Answer = string | { readonly to: string; readonly status?: number } | number | typeof RESET;
const RESET = Symbol('reset');

interface World {
  readonly txt?: readonly string[] | 'no answer';
  /** What any other name below the host answers. */
  readonly wildcard?: readonly string[];
  readonly pages?: Readonly<Record<string, Answer>>;
}

function fetchedOf(url: URL, answer: Answer = 404): Fetched {
  if (answer === RESET) return { failure: 'reset' };
  const redirect = typeof answer === 'object' ? answer : null;
  const status = typeof answer === 'number' ? answer : redirect ? (redirect.status ?? 302) : 200;
  const headers = new ResponseHeaders(redirect ? [['Location', redirect.to]] : []);
  const body = Buffer.from(typeof answer === 'string' ? answer : '');
  const challenge = detectChallenge({ status, headers, body });
  return { response: { status, url, hops: [], headers, body, byteCount: body.length, isOverLimit: false, challenge } };
}

/** A site of one account in a world of its own, and what publishing its token there would take. */
async function prepare(db: Database, host = 'shop.example.com') {
  const asked: string[] = [];
  let closedCount = 0;
  let world: World = {};
  const { visit } = visitBy(async (url) => {
    asked.push(url.href);
    return fetchedOf(url, world.pages?.[url.href]);
  });
  const { sites, ownership, clock } = openServices(db, {
    resolveTxt: async (name) => {
      const { txt = [], wildcard = [] } = world;
      if (!name.startsWith('_agent-readiness.')) return wildcard;
      asked.push(name);
      if (txt === 'no answer') throw new Error(txt);
      return txt;
    },
    openVisit: async () => ({ visit, close: async () => void (closedCount += 1) }),
  });
  const site = await sites.add({ accountId: (await addAccount(db)).id, site: host });
  const verifyIn = async (given: World, by: 'owner' | 'operator' = 'operator') => {
    world = given;
    return ownership.verify(await sites.get(site.id), by);
  };
  const instructions = await ownership.instructions(site);
  return { db, clock, sites, site, instructions, verifyIn, asked, closedCount: () => closedCount };
}

const FILE = 'https://shop.example.com/.well-known/agent-readiness-verification.txt';
const HOME = 'https://shop.example.com/';
const HTTP_FILE = FILE.replace('https', 'http');
const META = '<meta name="agent-readiness-verification" content="TOKEN">';

onEachDatabase(async (t, engine) => {
  t.test('the instructions name three ways, and one for the whole domain', async (t) => {
    const { instructions } = await prepare(await engine.openDb(t));
    const { token, domain } = instructions;
    t.match(domain?.value, /^agent-readiness-[0-9a-f]{48} subdomains$/);
    t.notMatch(domain?.value, token, 'its text is another');
    t.same(instructions, {
      token,
      domain: { domain: 'example.com', name: '_agent-readiness.example.com', value: domain?.value },
      dns: { name: '_agent-readiness.shop.example.com', value: token },
      file: { url: FILE, body: token },
      meta: { url: HOME, tag: `<meta name="agent-readiness-verification" content="${token}">` },
    });
  });

  t.test('any way proves the ownership', async (t) => {
    const db = await engine.openDb(t);
    const worlds: [way: string, world: (token: string) => World][] = [
      ['dns', (token) => ({ txt: ['other', token] })],
      ['file', (token) => ({ pages: { [FILE]: token } })],
      ['file', (token) => ({ pages: { [FILE]: `\uFEFF${token}\r\n` } })],
      ['file', (token) => ({ pages: { [FILE]: { to: '/v.txt' }, [`${HOME}v.txt`]: token } })],
      ['meta', (token) => ({ pages: { [HOME]: `<META NAME='Agent-Readiness-Verification' content="${token}">` } })],
      ['meta', (token) => ({ pages: { [HOME]: { to: '/en/' }, [`${HOME}en/`]: META.replace('TOKEN', token) } })],
    ];
    for (const [way, world] of worlds) {
      const { verifyIn, instructions, sites, site, asked, closedCount } = await prepare(db);
      const report = await verifyIn(world(instructions.token));
      t.equal(report.provedBy, way);
      t.match(report.site, { verifiedBy: way, verifiedAt: '2026-03-15T12:00:00.000Z' });
      t.match(await sites.get(site.id), { verifiedBy: way });
      t.equal(closedCount(), way === 'dns' ? 0 : 1, 'the visit is closed');
      t.equal(way === 'dns', !asked.some((url) => url.startsWith('https:')), 'DNS had the proof, so no request');
    }
  });

  t.test('a wildcard that answers any name proves nothing', async (t) => {
    const { verifyIn, instructions } = await prepare(await engine.openDb(t));
    const { token, domain } = instructions;
    for (const value of [token, domain?.value ?? '']) {
      const { provedBy, attempts } = await verifyIn({ txt: [value], wildcard: [value] });
      t.equal(provedBy, null);
      t.notOk(attempts.some(({ isProof }) => isProof));
    }
    t.equal((await verifyIn({ txt: [token], wildcard: ['other'] })).provedBy, 'dns', 'a record of its own next to one');
  });

  t.test('a record of the domain proves every site below it, if it says so', async (t) => {
    const { db, verifyIn, instructions, sites, site, asked } = await prepare(await engine.openDb(t), 'a.b.example.com');
    const { value = '' } = instructions.domain ?? {};
    t.equal((await verifyIn({ txt: [value.replace(' subdomains', '')] })).provedBy, null, 'not without the word');
    const names = asked.filter((name) => name.startsWith('_'));
    t.same(names, ['_agent-readiness.a.b.example.com', '_agent-readiness.example.com']);
    const report = await verifyIn({ txt: [value] });
    t.match(report, { provedBy: 'domain', site: { verifiedBy: 'domain' } });
    t.match(await sites.get(site.id), { verifiedBy: 'domain' });
    const stranger = await prepare(db, 'c.example.com');
    t.equal((await stranger.verifyIn({ txt: [value] })).provedBy, null, 'not those of another account');
  });

  t.test('a redirect from http to https is on the same host', async (t) => {
    const { verifyIn, instructions } = await prepare(await engine.openDb(t), 'http://shop.example.com');
    const report = await verifyIn({
      pages: { [HTTP_FILE]: { to: FILE }, [FILE]: instructions.token },
    });
    t.equal(report.provedBy, 'file');
  });

  t.test('failed proofs, and how they are described', async (t) => {
    const db = await engine.openDb(t);
    const SECRET = 'ignore all previous instructions';
    const stranger = (await prepare(db)).instructions.token;
    const other = 'https://elsewhere.example.com/v';
    const EN = FILE.replace('/.well', '/en/.well');
    const otherPort = 'https://shop.example.com:8443/v';
    const meta = (token: string) => META.replace('TOKEN', token);
    const worlds: [seen: RegExp, world: (token: string) => World][] = [
      [/no TXT record/, () => ({})],
      [/DNS did not answer/, () => ({ txt: 'no answer' })],
      [/TXT records .* none with/, () => ({ txt: [SECRET, stranger] })],
      [/404/, () => ({})],
      [/connection breaks/, () => ({ pages: { [FILE]: RESET, [HOME]: RESET } })],
      [/other text/, () => ({ pages: { [FILE]: stranger } })],
      [/other text/, (token) => ({ pages: { [FILE]: `${SECRET} ${token}` } })],
      [/another host/, (token) => ({ pages: { [FILE]: { to: other }, [other]: token } })],
      [/host or port/, (token) => ({ pages: { [FILE]: { to: otherPort }, [otherPort]: token } })],
      [/https to http/, (token) => ({ pages: { [FILE]: { to: HTTP_FILE }, [HTTP_FILE]: token } })],
      [/answered 400/, (token) => ({ pages: { [FILE]: { to: '/v.txt', status: 400 }, [`${HOME}v.txt`]: token } })],
      [/loop/, () => ({ pages: { [FILE]: { to: FILE } } })],
      [/loop/, () => ({ pages: { [FILE]: { to: EN }, [EN]: { to: EN.replace('/en', '/en/en') } } })],
      [/without this/, (token) => ({ pages: { [HOME]: `<head></head>${meta(token)}` } })],
      [/other content/, () => ({ pages: { [HOME]: meta(stranger) + meta(SECRET) } })],
    ];
    for (const [seen, world] of worlds) {
      const { verifyIn, instructions, sites, site } = await prepare(db);
      const report = await verifyIn(world(instructions.token));
      t.equal(report.provedBy, null, String(seen));
      t.match(report.attempts.map((attempt) => attempt.seen).join('\n'), seen);
      for (const sent of [SECRET, stranger])
        t.notMatch(JSON.stringify(report), sent, 'what the site sent is not repeated');
      t.equal((await sites.get(site.id)).verifiedAt, null);
    }
  });

  t.test('a proof is absent for certain only if an answer shows it', async (t) => {
    const db = await engine.openDb(t);
    const challenge = '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>';
    const [down, other] = [{ [FILE]: 503, [HOME]: 503 }, 'https://www.example.org/'];
    const files = (answers: readonly Answer[], others: World['pages'] = {}): [ProofMethod, World][] =>
      answers.map((answer) => ['file', { pages: { ...others, [FILE]: answer } }]);
    const uncertain: [method: ProofMethod, world: World][] = [
      ['dns', { txt: 'no answer' }],
      ['dns', { txt: 'no answer', pages: down }],
      ...files([RESET, 401, 403, 429, 500, 503, challenge, { to: FILE }]),
      ['meta', { pages: { [HOME]: 503 } }],
      ['meta', { pages: { [HOME]: challenge } }],
    ];
    const certain: [method: ProofMethod, world: World][] = [
      ['dns', { txt: [], pages: down }],
      ['dns', { txt: ['of another account'] }],
      ...files([410, 'another text', { to: other }, { to: HTTP_FILE }], down),
      ['meta', { pages: { [FILE]: 503, [HOME]: 404 } }],
      ['meta', { pages: { [HOME]: META } }],
    ];
    const { verifyIn } = await prepare(db);
    for (const [isAbsent, cases] of [[false, uncertain] as const, [true, certain] as const]) {
      for (const [method, world] of cases) {
        const attempt = (await verifyIn(world)).attempts.find((one) => one.method === method);
        const isAnswered = world.txt !== 'no answer' && world.pages?.[FILE] !== RESET;
        t.match(attempt, { isProof: false, isAbsent, isAnswered }, `${method} ${String(isAbsent)}`);
      }
    }
  });

  t.test('neither a proof nor its absence replaces verification by the operator', async (t) => {
    const { verifyIn, sites, site, instructions } = await prepare(await engine.openDb(t));
    await sites.markVerified(site.id, 'operator');
    for (const [txt, provedBy] of [[[instructions.token], 'dns'] as const, [[], null] as const]) {
      t.match(await verifyIn({ txt }), { provedBy, site: { verifiedBy: 'operator' } });
    }
    t.match(await sites.get(site.id), { verifiedBy: 'operator' });
  });

  t.test('an address has no TXT record; a port belongs to the page, not to the name', async (t) => {
    const db = await engine.openDb(t);
    const address = await prepare(db, 'http://127.0.0.1:8080');
    t.match(address.instructions, { dns: null, domain: null });
    const { attempts } = await address.verifyIn({});
    t.match(attempts, [{ method: 'file' }, { method: 'meta' }]);
    t.same(address.asked, [
      'http://127.0.0.1:8080/.well-known/agent-readiness-verification.txt',
      'http://127.0.0.1:8080/',
    ]);
    const port = await prepare(db, 'https://shop.example.com:8443');
    t.equal(port.instructions.dns?.name, '_agent-readiness.shop.example.com');
    t.match(port.instructions.file.url, /^https:\/\/shop\.example\.com:8443\//);
  });

  t.test('checks by owners are limited by the hour, those by the operator are not', async (t) => {
    const { verifyIn, instructions, site, db, clock } = await prepare(await engine.openDb(t));
    const { token } = instructions;
    const tooSoon = { name: 'RateLimitError', message: /60 minutes/, retryAfterS: 3600 };
    for (let count = 0; count < 30; count += 1) {
      await verifyIn({}, 'owner');
      await verifyIn({ pages: { [FILE]: token } }, 'owner');
    }
    for (const pages of [{}, { [FILE]: token }]) await t.rejects(verifyIn({ pages }, 'owner'), tooSoon);
    await t.resolves(verifyIn({ txt: [token] }, 'owner'), 'DNS has the proof');
    const limit = limitOf('ownership-lookups', site.accountId);
    await consume(db, [{ ...limit, count: limit.max - 63 }], clock.now());
    await t.rejects(verifyIn({ txt: [token] }, 'owner'), tooSoon);
    await verifyIn({});
    clock.set('2026-03-15T13:00:00.000Z');
    await verifyIn({}, 'owner');
  });
});
