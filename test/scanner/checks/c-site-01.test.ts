import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import type { HopRequest, Transport } from '../../../src/net/transport.js';
import { TransportError } from '../../../src/net/failure.js';
import { cSite01 } from '../../../src/scanner/checks/c-site-01.js';
import { findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FixtureTransport } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { type Expected, expectFindings, outcomeOf, type Routes, url } from './expect-findings.js';
import { cutMap, framed, good, HOME, listing, loc, MAP, robots, SITE, urlset, withMap } from './sitemap-sites.js';

const expectOn = (t: Test, expected: Expected) => expectFindings(t, cSite01, SITE, expected);
const text = { body: 'ok', type: 'text/plain' };

/** A file that is still being written: one byte more of it at each try, or the whole one. */
function growing(isWhole = false): () => FixtureAnswer {
  let length = cutMap.length - 1;
  return () => {
    length += 1;
    return framed(gzipSync(good).subarray(0, isWhole && length > cutMap.length ? undefined : length));
  };
}

/** Answers as the site does, but that a body stalls after so many bytes. */
function stallAfter(fixture: FixtureSite, bytes: number): Transport {
  const whole = new FixtureTransport(fixture);
  const exchange = async (request: HopRequest) => {
    const answer = await whole.exchange(request);
    return { ...answer, body: stall(answer.body, bytes) };
  };
  return { exchange, close: () => whole.close() };
}

async function* stall(body: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) throw new TransportError('stalled');
  }
}

t.test('C-SITE-01: a sitemap that can be read is found wherever it is', async (t) => {
  await expectOn(t, {
    PASS: {
      'in a later line of robots.txt': { ...robots(url('/old.xml'), MAP), '/map.xml': good },
      'at a default location, though robots.txt names a broken one': { ...robots(MAP), '/sitemap.xml': good },
      'compressed, by its magic bytes': {
        '/sitemap.xml.gz': { body: gzipSync(good), type: 'application/octet-stream' },
      },
      'as an RSS feed': {
        ...robots(url('/feed')),
        '/feed': `<rss><channel><item><link>${url('/bread')}</link></item></channel></rss>`,
      },
      'on a site that says the same to every path': { '*': text, '/sitemap.xml': good },
      'and says where: line 4': [
        { ...robots('/map.xml', MAP), '/map.xml': good },
        'Line 4 of robots.txt names an XML sitemap with 2 entries. Also worth fixing: line 3 of robots.txt',
      ],
    },
  });
});

t.test('C-SITE-01: each cause', async (t) => {
  await expectOn(t, {
    'FAIL MISSING': {
      'one that is named but absent': robots(MAP),
      'the home page that every path is redirected to': { '*': redirectTo('/') },
      'a text that every path gets': { '*': text },
    },
    'FAIL WRONG_MIME': {
      'a page goes before a malformed one': withMap('<urlset>', { '/sitemap.xml': HOME }),
    },
    'FAIL FORMAT': {
      'malformed, on line 3': [{ '/sitemap.xml': `\n\n${good}<br>` }, '/sitemap.xml is not well-formed XML (line 3)'],
      'a coding that ends early': { '/sitemap.xml': framed(cutMap, { 'content-encoding': 'gzip' }) },
      'no entries': { '/sitemap.xml': urlset() },
      'an empty body': withMap(204),
    },
    'FAIL UNREACHABLE': { 'a named one breaks off': withMap({ failure: 'reset' }) },
    'FAIL TIMEOUT': { 'a named one stalls': withMap({ failure: 'stalled' }) },
    UNDETERMINED: {
      'gzip that ends early with the connection': { '/sitemap.xml.gz': { body: cutMap } },
      'gzip that ends elsewhere each time': { '/sitemap.xml.gz': growing() },
      'gzip that is whole at the second try': { '/sitemap.xml.gz': growing(true) },
      'a location that nobody named is refused': { '/sitemap.xml': 403 },
    },
  });
});

t.test('C-SITE-01: gzip is whole where gzip itself takes it', async (t) => {
  const others = JSON.parse(readFileSync('test/fixtures/sitemaps/other-readers.json', 'utf8')) as {
    readonly gzip: readonly { readonly name: string; readonly base64: string; readonly gzip: 'read' | 'refused' }[];
  };
  for (const { name, base64, gzip } of others.gzip) {
    const routes = { '/sitemap.xml.gz': framed(Buffer.from(base64, 'base64')) };
    await expectOn(t, { [gzip === 'read' ? 'PASS' : 'FAIL FORMAT']: { [name]: routes } });
  }
});

t.test('C-SITE-01: a map that stalls after 1 MiB may only be too large for the time that it has', async (t) => {
  const map = `<urlset>${`<url>${loc('/')}</url>`.repeat(25_000)}`;
  for (const [bytes, outcome] of Object.entries({ 1_048_575: 'FAIL TIMEOUT', 1_048_576: 'UNDETERMINED' })) {
    const fixture = { routes: { ...SITE, ...withMap(map) } };
    const finding = await findingOf(cSite01, fixture, { transport: stallAfter(fixture, Number(bytes)) });
    t.equal(outcomeOf(finding), outcome, `${bytes} bytes: ${finding.detail}`);
  }
});

t.test('C-SITE-01: asks no more than it needs', async (t) => {
  const asked = async (routes: Routes) => {
    const run = openFixtureRun({ routes: { ...SITE, ...routes } });
    await run.context.evidence('sitemap');
    await run.close();
    const paths = run.urls().map((href) => new URL(href).pathname);
    return paths.filter((path) => path.includes('map'));
  };
  const defaults = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap.xml.gz'];
  const two = robots(MAP, url('/map2.xml'));
  t.same(await asked({ ...two, '/map.xml': good }), ['/map.xml']);
  t.same(await asked({ ...two, '/map2.xml': good }), ['/map.xml', '/map2.xml']);
  t.same(await asked(robots(url('/sitemap.xml'))), defaults);
  // A sitemap that declares entities is left unread, and nothing that it names is asked for.
  const subsets = `<!DOCTYPE urlset SYSTEM "${url('/map.dtd')}" [<!ENTITY a SYSTEM "/map.ent"><!ENTITY % b "/map.p"> %b;]>`;
  t.same(await asked(withMap(subsets + listing('/', '/&a;'))), ['/map.xml', ...defaults]);
  t.same(await asked(withMap(framed(cutMap))), ['/map.xml', '/map.xml', ...defaults]);
  const many = Array.from({ length: 9 }, (_, line) => url(`/map${line}.xml`));
  t.equal((await asked(robots(...many))).length, 5 + 3);
  const nowhere = await findingOf(cSite01, { routes: { ...SITE, ...robots(...many.slice(0, 5)), '*': HOME } });
  t.ok((nowhere.detail?.length ?? 0) <= 600, 'a detail that is not too long');
});
