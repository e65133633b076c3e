import t from 'tap';
import { found } from '../../../src/scanner/artifacts/evidence.js';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import { cLlms02 } from '../../../src/scanner/checks/c-llms-02.js';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03.js';
import { cLlms04 } from '../../../src/scanner/checks/c-llms-04.js';
import { type Check, judge } from '../../../src/scanner/verdict/check.js';
import { collectFrom, openFixtureRun } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { type Expected, expectFindings, type Routes } from './expect-findings.js';

const HOME = '<!doctype html><title>Home</title><h1>Home</h1><p>Welcome to the home page of this fixture.</p>';
const HTML = '<!doctype html><title>App</title><div id="app">The shell of an app</div>';
const GOOD = '# Fixture\n\n> A site.\n\n## Docs\n\n- [Start](/start): begin here\n';
const CHALLENGE = { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: HTML };

const file = (llms: FixtureRoute, more: Routes = {}): Routes => ({ '/llms.txt': llms, ...more });
const expectOn = (t: Parameters<typeof expectFindings>[0], check: Check, expected: Expected) =>
  expectFindings(t, check, { '/': HOME, '/start': '<h1>Start</h1>' }, expected);

t.test('C-LLMS-01: is there a text file?', async (t) => {
  await expectOn(t, cLlms01, {
    PASS: {
      'a page for browsers, the file for others': file(({ headers }) =>
        headers.accept?.includes('html') ? HTML : GOOD,
      ),
    },
    'FAIL MISSING': {
      'a text that says of any address that it is not found, to those who ask for text': {
        '*': ({ headers }) => (headers.accept?.startsWith('text/plain') ? { type: 'text/plain', body: 'no' } : HTML),
      },
    },
    UNDETERMINED: {
      '429 every time': file(429),
      'a challenge': file(CHALLENGE),
      'cut off by the peer': file({ body: GOOD, cut: true }),
    },
  });
});

t.test('C-LLMS-02: does it follow the format?', async (t) => {
  const files = (bodies: Readonly<Record<string, string | Uint8Array>>): Record<string, Routes> =>
    Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, file({ body })]));
  await expectOn(t, cLlms02, {
    PASS: files({ 'bare URLs alongside a link': '# A\n\n- https://a.com/1\n- https://a.com/2\n\n[b](/b)' }),
    'FAIL FORMAT': files({
      'no UTF-8': Buffer.from('# Gr\xfc\xdfe', 'latin1'),
      'NUL bytes': '# Name\n\0',
      nothing: '',
    }),
    'FAIL STRUCTURE': {
      'positions are lines': [
        file('## B\n# A\n\n[x]() [y](/y)\n\n[z](<>)'),
        /^An H2 on line 1 comes before the H1 on line 2\. 2 links have an empty or invalid address: lines 4 and 6\.$/,
      ],
    },
  });
});

t.test('a cut of our own is not a fault of the encoding, and no claim is made about what is behind it', async (t) => {
  const routes = { '/': HOME, '/llms.txt': `# A ${'字'.repeat(400_000)}` };
  t.match(await collectFrom({ routes }, 'llmsDocument'), { ok: { textFault: null, isOverLimit: true } });
  const heading = { level: 1, line: 1 } as const;
  const document = {
    ...{ textFault: null, characterCount: 9, isOverLimit: true, firstHeading: heading, h1: heading },
    ...{ links: [], bareUrlItemLines: [3, 4], hasTemplateText: false },
  };
  const judged = (isFullyParsed: boolean) =>
    judge(cLlms02, { llmsDocument: found({ ...document, isFullyParsed }) }).finding;
  t.match(judged(true), { result: 'FAIL', errorType: 'STRUCTURE' });
  t.match(judged(false), { result: 'PASS' });
});

t.test('C-LLMS-03: do the links to the site itself work?', async (t) => {
  const list = (...targets: string[]): string => `# A\n\n${targets.map((target) => `- [x](${target})\n`).join('')}`;
  await expectOn(t, cLlms03, {
    PASS: {
      'an address with a place to fill in is none to follow': file(list('/start', '/users/{id}')),
      'UTF-8 under another charset is read as UTF-8': file(
        { body: list('/日本'), type: 'text/plain; charset=iso-8859-1' },
        { '/%E6%97%A5%E6%9C%AC': HOME },
      ),
      'half refused': file(list('/a', '/start'), { '/a': 403 }),
    },
    'FAIL DEAD_LINK': {
      'a dead one': [file(list('/start', '/nowhere')), /^1 of 2 links to the site itself is dead: line 4\.$/],
    },
    UNDETERMINED: {
      'over half refused': file(list('/a', '/b', '/start'), { '/a': 403, '/b': 500 }),
      'no link in the part that is read': file(`# A\n\n${'word '.repeat(20_000)}\n\n- [x](/start)\n`),
      'challenged with 200': file(list('/a'), { '/a': { ...CHALLENGE, status: 200, type: 'text/plain' } }),
      'links to the page of unknown addresses, by line': [
        file('# A\n\n- [x](/a)\n- [y](/b)\n', { '*': redirectTo('/') }),
        /^(?!.*too slow).*2 links lead to the page that the site shows for unknown addresses.*lines 3 and 4/,
      ],
    },
  });
});

t.test('of many links the first 5 and 15 spread to the last are followed, each address once', async (t) => {
  const lines = Array.from({ length: 100 }, (_, index) => `- [x](/p${index}) [same](/p${index}#part)`);
  const run = openFixtureRun({
    routes: { '/': HOME, '*': { body: 'page', type: 'text/plain' }, '/llms.txt': `# A\n\n${lines.join('\n')}` },
  });
  const links = await run.context.evidence('llmsLinks');
  await run.close();
  t.match(links, { ok: { firstPartyCount: 100 } });
  const asked = run.urls().flatMap((url) => /\/p(\d+)$/.exec(url)?.[1] ?? []);
  t.equal(new Set(asked).size, 20);
  t.same(asked.slice(0, 6), ['0', '1', '2', '3', '4', '5']);
  t.ok(asked.includes('99'));
});

t.test('C-LLMS-04: characters are counted, not bytes', async (t) => {
  await expectOn(t, cLlms04, {
    PASS: {
      '100,000 of one byte': file(`# A${'a'.repeat(99_997)}`),
      '100,000 of three bytes, after a BOM': file(`\uFEFF# 字${'字'.repeat(99_997)}`),
      '100,000 of four bytes': file(`# A${'😀'.repeat(99_997)}`),
      'a long one is noted': [file(`# A${'a'.repeat(60_000)}`), /60,003 characters.*50,000/],
    },
    'FAIL OVERSIZE': {
      'one more': file(`# A${'a'.repeat(99_998)}`),
      'past our own limit': file(`# A\n${'😀'.repeat(262_200)}`),
    },
  });
});

t.test('what cannot be read as Markdown fails C-LLMS-01 alone', async (t) => {
  for (const check of [cLlms02, cLlms03, cLlms04]) {
    await expectOn(t, check, {
      PASS: { 'Markdown under another type is read': file({ body: GOOD, type: 'application/octet-stream' }) },
      NOT_APPLICABLE: {
        JSON: file({ body: '{"a":1}', type: 'application/json' }),
        'not established': file(429),
      },
    });
  }
});
