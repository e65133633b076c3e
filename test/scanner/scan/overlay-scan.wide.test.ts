import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { listNotTried } from '../../../src/scanner/report/trial.js';
import { tryOverlay } from '../../../src/scanner/scan/recorded-scan.js';
import type { Overlay } from '../../../src/scanner/client/stand-in.js';
import { answerFrom } from '../../../src/scanner/trace/replay-transport.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { type ExampleAnswers, exampleOf, typeByExtension } from '../../../src/scanner/report/examples.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { exampleSite } from '../../support/example-site.js';
import { FIXTURE_ORIGIN, type FixtureSite, FixtureTransport } from '../../support/fixture-site.js';
import { GOLDEN_NOW, scanFixture } from '../../support/golden.js';
import { LoopbackTransport } from '../../support/loopback-transport.js';
import { recordFixture } from '../../support/recorded.js';

const HTML = 'text/html; charset=utf-8';

/** Files by path: text, or text with its type; and header fields for paths. */
function overlayOf(
  files: Readonly<Record<string, string | { readonly body: string; readonly type: string }>>,
  fields: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {},
): Overlay {
  return {
    fileAt: (path) => {
      const file = files[path];
      if (file === undefined) return null;
      const { body, type } = typeof file === 'string' ? { body: file, type: typeByExtension(path) } : file;
      return { body: Buffer.from(body), type };
    },
    fieldsFor: (path) => Object.entries(fields[path] ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  };
}

/** The trial, and what was asked of the site for the second scan. */
async function tryAt(site: FixtureSite, overlay: Overlay) {
  const transport = new FixtureTransport(site);
  const options = {
    target: { origin: new URL(site.origin ?? FIXTURE_ORIGIN), isOwnershipVerified: true },
    transport,
    pause: async () => undefined,
  };
  const deps = { clock: { now: () => GOLDEN_NOW }, version: '1.2.3', overlay };
  const trial = await tryOverlay(options, deps);
  return { ...trial, asked: transport.requests.slice(trial.before.requestCount).map(({ url }) => url) };
}

/** What is put in place, if that can be done by files and their header fields alone; else null. */
function filesOf(answers: ExampleAnswers): Overlay | null {
  const files: Record<string, { body: string; type: string }> = {};
  const fields: Record<string, Record<string, string>> = {};
  for (const [path, given] of Object.entries(answers)) {
    const answer = typeof given === 'string' ? { body: given } : given;
    const { status = 200, type = typeByExtension(path), headers = {}, body = '', failure, instead } = answer;
    const isFile = path.startsWith('/') && !path.includes('?') && status === 200 && type !== null;
    if (!isFile || failure !== undefined || instead !== undefined || typeof body !== 'string') return null;
    files[path] = { body, type };
    fields[path] = { ...headers };
  }
  return overlayOf(files, fields);
}

t.test('each way to fix a failure that is files says what a scan over sockets says once they are there', async (t) => {
  const count = { files: 0, redirects: 0, rules: 0 };
  for (const check of CHECKS as readonly Check[]) {
    for (const { errorType } of namedFailures(check)) {
      const { failing, passing, otherwise = {} } = exampleOf({ checkId: check.id, errorType })!;
      for (const [way, answers] of Object.entries({ passing, ...otherwise })) {
        const overlay = filesOf(answers);
        const name = `${check.id} ${errorType}, ${way}`;
        if (Object.values(answers).some((answer) => typeof answer !== 'string' && answer.status === 301)) {
          // Another way to fix the same is a file.
          count.redirects += 1;
          continue;
        }
        if (overlay === null) {
          count.rules += 1;
          const isEachWay = [passing, ...Object.values(otherwise)].every((ways) => filesOf(ways) === null);
          const { before, after } = await tryAt(exampleSite(failing), overlayOf({ '/unrelated.txt': 'a file' }));
          t.equal(
            listNotTried(before.findings, after.findings).includes(check.id),
            isEachWay,
            `${name}: where no file does it, that is said`,
          );
          t.notOk(listNotTried([], after.findings).includes(check.id), `${name}: what was otherwise before was tried`);
          continue;
        }
        count.files += 1;
        const { before, after } = await tryAt(exampleSite(failing), overlay);
        const fixed = exampleSite({ ...failing, ...answers });
        const real = await scanFixture(fixed, await LoopbackTransport.open(fixed));
        t.match(
          before.findings.find(({ checkId }) => checkId === check.id),
          { result: 'FAIL', errorType },
          name,
        );
        t.same(after.findings, real.findings, name);
        t.same([after.score, after.notes], [real.score, real.notes], name);
      }
    }
  }
  for (const [kind, ways] of Object.entries(count)) t.ok(ways > 0, `${kind} were tried`);
});

const HOME = '<!doctype html><title>Home</title><p>Hello</p>';

t.test('what is assumed is what the path answers otherwise today', async (t) => {
  const site = {
    routes: { '/': HOME, '/llms.txt': { status: 403, body: 'no' }, '/robots.txt': 'User-agent: *\nAllow: /' },
  };
  const llms = '# Shop\n\n> A shop.\n\n## Pages\n\n- [Home](https://www.fixture-site.com/)\n';
  const { assumed } = await tryAt(
    site,
    overlayOf({ '/llms.txt': llms, '/robots.txt': 'User-agent: *\nDisallow:', '/sitemap.xml': '<urlset/>' }),
  );
  t.same(assumed, [{ path: '/llms.txt', status: 403 }], 'neither what is served, nor what is not there');
});

t.test('the second scan asks for what the files lead to, and for nothing else', async (t) => {
  const routes = { '/': HOME, '/new': HOME };
  const llms =
    '# Shop\n\n> A shop.\n\n## Pages\n\n- [New](https://www.fixture-site.com/new)\n- [Gone](https://www.fixture-site.com/gone)\n';
  const { after, asked } = await tryAt({ routes }, overlayOf({ '/llms.txt': llms }));
  t.ok(asked.includes('https://www.fixture-site.com/gone'));
  t.same(
    asked.filter((url) => !/\/(new|gone|x[0-9a-f]{24})$/.test(url)),
    [],
  );
  t.match(
    after.findings.find(({ checkId }) => checkId === 'C-LLMS-03'),
    { result: 'FAIL', errorType: 'DEAD_LINK' },
    'a dead link of the new file is seen',
  );
});

t.test(
  'both scans together ask for no more than one may, and once the site has answered nothing is waited for',
  async (t) => {
    const links = Array.from(
      { length: 12 },
      (_, index) => `- [Page](https://www.fixture-site.com/new-${index})\n`,
    ).join('');
    const overlay = overlayOf({ '/llms.txt': `# Shop\n\n> A shop.\n\n## Pages\n\n${links}` });
    const transport = new FixtureTransport({ routes: { '/': HOME } });
    const paced: string[] = [];
    const pace = { reserve: (address: string) => (paced.push(address), 0), released: new AbortController().signal };
    const options = {
      target: {
        ...{ origin: new URL(FIXTURE_ORIGIN), isOwnershipVerified: false },
        anonymousLimits: { pace, mayRequestDomain: async () => true },
      },
      transport,
      pause: async () => undefined,
    };
    const deps = { clock: { now: () => GOLDEN_NOW }, version: '1.2.3', overlay };
    const { before, after } = await tryOverlay(options, deps);
    t.equal(paced.length, transport.requests.length, 'a turn for each request that is sent');
    t.equal(before.siteRequestCount + after.siteRequestCount, transport.requests.length);
    t.equal(after.siteRequestCount, 24, 'each dead link of the file is asked twice');
    t.ok(transport.isClosed);
  },
);

t.test('a server’s own header fields stay with the file, but for those about its bytes', async (t) => {
  const site = { routes: { '/': { type: HTML, headers: { 'x-robots-tag': 'noindex' }, body: HOME } } };
  const kept = await tryAt(site, overlayOf({ '/': { body: HOME, type: HTML } }));
  const real = await scanFixture(site);
  t.same(kept.after.findings, real.findings, 'the noindex is still seen');
  const freed = await tryAt(site, overlayOf({ '/': { body: HOME, type: HTML } }, { '/': { 'X-Robots-Tag': null } }));
  t.same(freed.after.findings, (await scanFixture({ routes: { '/': HOME } })).findings, 'until _headers takes it away');
});

t.test('what the first scan has left of its requests is all that the second may send', async (t) => {
  const site = { routes: { '/': HOME } };
  const { recording } = await recordFixture(site);
  const network = new FixtureTransport(site);
  const transport = answerFrom(recording, network, 1);
  const ask = (path: string) =>
    transport.exchange({
      ...{ url: new URL(path, FIXTURE_ORIGIN), method: 'GET', headers: { 'user-agent': 'x' } },
      signal: new AbortController().signal,
    });
  t.equal((await ask('/a')).status, 404);
  await t.rejects(ask('/b'), { name: 'TransportError', failure: 'budget_spent' });
  t.equal(network.requests.length, 1);
});
