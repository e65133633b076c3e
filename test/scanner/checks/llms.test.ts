import t from 'tap';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01/check.js';
import { cLlms02 } from '../../../src/scanner/checks/c-llms-02/check.js';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03/check.js';
import { cLlms04 } from '../../../src/scanner/checks/c-llms-04/check.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { found } from '../../../src/scanner/evidence/evidence.js';
import { judge } from '../../../src/scanner/scan/judge.js';
import { collectFrom, findingOf, openFixtureRun } from '../../support/collect.js';
import { countTurns } from '../../support/count-turns.js';
import type { FixtureRoute, FixtureSite } from '../../support/fixture-site.js';

const HOME = '<!doctype html><title>Home</title><h1>Home</h1><p>Welcome to the home page of this fixture.</p>';
const HTML = '<!doctype html><title>App</title><div id="app">The shell of an app</div>';
const GOOD = '# Fixture\n\n> A site.\n\n## Docs\n\n- [Start](/start): begin here\n';

function site(llms: FixtureRoute | null, routes: FixtureSite['routes'] = {}): FixtureSite {
  return {
    routes: { '/': HOME, '/start': '<h1>Start</h1>', ...(llms === null ? {} : { '/llms.txt': llms }), ...routes },
  };
}

/** "PASS", or "FAIL STRUCTURE". */
async function outcomeOf(check: Check, fixture: FixtureSite): Promise<string> {
  const { result, errorType } = await findingOf(check, fixture);
  return errorType === null ? result : `${result} ${errorType}`;
}

t.test('C-LLMS-01: is there a text file?', async (t) => {
  const cases: [name: string, fixture: FixtureSite, outcome: string][] = [
    ['text/plain', site({ body: GOOD, type: 'text/plain' }), 'PASS'],
    ['text/markdown in any charset', site({ body: GOOD, type: 'text/markdown; charset=iso-8859-1' }), 'PASS'],
    ['no type', site({ body: GOOD, type: null }), 'PASS'],
    [
      'after a redirect',
      site({ status: 301, headers: { location: '/docs/llms.txt' } }, { '/docs/llms.txt': GOOD }),
      'PASS',
    ],
    ['404', site(null), 'FAIL MISSING'],
    ['a shell for every path', site(null, { '*': { body: HTML, type: 'text/html' } }), 'FAIL MISSING'],
    ['HTML of its own', site({ body: HTML, type: 'text/html' }), 'FAIL WRONG_MIME'],
    ['HTML that says it is text', site({ body: HTML, type: 'text/plain' }), 'FAIL WRONG_MIME'],
    ['Markdown as HTML', site({ body: GOOD, type: 'text/html' }), 'FAIL WRONG_MIME'],
    ['Markdown as bytes', site({ body: GOOD, type: 'application/octet-stream' }), 'FAIL WRONG_MIME'],
    ['403', site({ status: 403, body: 'no' }), 'FAIL BLOCKED'],
    ['500 every time', site({ status: 500, body: 'oops' }), 'FAIL UNREACHABLE'],
    ['reset every time', site({ failure: 'reset' }), 'FAIL UNREACHABLE'],
    ['a stall every time', site({ failure: 'stalled' }), 'FAIL TIMEOUT'],
    ['429 every time', site({ status: 429, body: 'slow down' }), 'UNDETERMINED'],
    ['a challenge', site({ status: 403, headers: { 'cf-mitigated': 'challenge' }, body: HTML }), 'UNDETERMINED'],
    ['cut off by the peer', site({ body: GOOD, cut: true }), 'UNDETERMINED'],
    [
      'a host that echoes the path',
      site(null, { '*': ({ url }) => ({ body: url.pathname, type: 'text/plain' }) }),
      'FAIL MISSING',
    ],
    [
      'a file on a host that echoes',
      site(GOOD, { '*': ({ url }) => ({ body: url.pathname, type: 'text/plain' }) }),
      'PASS',
    ],
  ];
  for (const [name, fixture, outcome] of cases) t.equal(await outcomeOf(cLlms01, fixture), outcome, name);
});

t.test('C-LLMS-02: does it follow the format?', async (t) => {
  const cases: [name: string, body: string | Uint8Array, outcome: string][] = [
    ['the whole format', GOOD, 'PASS'],
    ['an H1 alone', '# Name', 'PASS'],
    ['a BOM', '\uFEFF# Name', 'PASS'],
    ['front matter', '---\ntitle: Name\n---\n\n# Name', 'PASS'],
    ['front matter of many lines', `---\n${'key: value\n'.repeat(300)}---\n\n# Name`, 'PASS'],
    ['a note before the H1', 'Made by a plugin.\n\n# Name', 'PASS'],
    ['several H1s, H3s, prose, CRLF', '# A\r\n\r\n### B\r\n\r\nProse.\r\n\r\n# C\r\n', 'PASS'],
    ['relative links, `*` bullets, parentheses', '# A\n\n* [a](../b_(c))\n* [d](#e)', 'PASS'],
    ['a heading in code', '```\n## no\n```\n# Name', 'PASS'],
    ['bare URLs beside a link', '# A\n\n- https://a.com/1\n- https://a.com/2\n\n[b](/b)', 'PASS'],
    ['no UTF-8', Buffer.from('# Gr\xfc\xdfe', 'latin1'), 'FAIL FORMAT'],
    ['NUL bytes', '# Name\n\0', 'FAIL FORMAT'],
    ['nothing', '', 'FAIL FORMAT'],
    ['white space', ' \n\uFEFF\n', 'FAIL FORMAT'],
    ['no H1', 'Just words and a [link](/a).', 'FAIL FORMAT'],
    ['an empty H1', '#\n\nWords', 'FAIL FORMAT'],
    ['an H2 before the H1', '## Docs\n\n# Name', 'FAIL STRUCTURE'],
    ['an H3 before the H1', '### Docs\n\n# Name', 'FAIL STRUCTURE'],
    ['an empty target', '# A\n\n- [a]()', 'FAIL STRUCTURE'],
    ['a target that is no URL', '# A\n\n- [a](http://[)', 'FAIL STRUCTURE'],
    ['lists of bare URLs', '# A\n\n- https://a.com/1\n- https://a.com/2', 'FAIL STRUCTURE'],
  ];
  for (const [name, body, outcome] of cases) t.equal(await outcomeOf(cLlms02, site({ body })), outcome, name);

  const { detail } = await findingOf(cLlms02, site('## B\n# A\n\n[x]() [y](/y)\n\n[z](<>)'));
  t.equal(
    detail,
    'An H2 on line 1 comes before the H1 on line 2. 2 links have an empty or invalid address: lines 4 and 6.',
  );
});

t.test('what cannot be read as Markdown fails C-LLMS-01 alone', async (t) => {
  const cases: [name: string, llms: FixtureRoute | null, outcome: string][] = [
    ['Markdown under another type is read', { body: GOOD, type: 'application/octet-stream' }, 'PASS'],
    ['absent', null, 'NOT_APPLICABLE'],
    ['HTML', { body: HTML, type: 'text/html' }, 'NOT_APPLICABLE'],
    ['JSON', { body: '{"a":1}', type: 'application/json' }, 'NOT_APPLICABLE'],
    ['refused', { status: 403 }, 'NOT_APPLICABLE'],
    ['not established', { status: 429 }, 'NOT_APPLICABLE'],
  ];
  for (const [name, llms, outcome] of cases) {
    for (const check of [cLlms02, cLlms03, cLlms04]) {
      t.equal(await outcomeOf(check, site(llms)), outcome, `${name}: ${check.id}`);
    }
  }
});

t.test('C-LLMS-03: do the links to the site itself work?', async (t) => {
  const gone = { status: 410, body: 'gone' };
  const list = (...targets: string[]): string => `# A\n\n${targets.map((target) => `- [x](${target})\n`).join('')}`;
  const cases: [name: string, fixture: FixtureSite, outcome: string][] = [
    ['all alive', site(list('/start', 'https://www.fixture-site.com/')), 'PASS'],
    [
      'a subdomain is the site, too',
      site(list('https://docs.fixture-site.com/x'), { 'https://docs.fixture-site.com/x': 'x' }),
      'PASS',
    ],
    ['a dead one', site(list('/start', '/nowhere')), 'FAIL DEAD_LINK'],
    ['gone', site(list('/gone'), { '/gone': gone }), 'FAIL DEAD_LINK'],
    ['a host that does not exist', site(list('https://no.fixture-site.com/')), 'FAIL DEAD_LINK'],
    ['a dead link elsewhere is not asked for', site(list('/start', 'https://other.com/x')), 'PASS'],
    ['no link to the site', site(list('https://other.com/x', 'mailto:a@fixture-site.com')), 'NOT_APPLICABLE'],
    ['no link', site('# A'), 'NOT_APPLICABLE'],
    ['an address with a place to fill in is none to follow', site(list('/start', '/users/{id}')), 'PASS'],
    [
      'UTF-8 under another charset is read as UTF-8',
      site({ body: list('/日本'), type: 'text/plain; charset=iso-8859-1' }, { '/%E6%97%A5%E6%9C%AC': HOME }),
      'PASS',
    ],
    [
      'over half refused',
      site(list('/a', '/b', '/start'), { '/a': { status: 403 }, '/b': { status: 500 } }),
      'UNDETERMINED',
    ],
    ['half refused', site(list('/a', '/start'), { '/a': { status: 403 } }), 'PASS'],
    [
      'refused, and one dead',
      site(list('/a', '/b', '/nowhere'), { '/a': { status: 403 }, '/b': { status: 403 } }),
      'FAIL DEAD_LINK',
    ],
  ];
  for (const [name, fixture, outcome] of cases) t.equal(await outcomeOf(cLlms03, fixture), outcome, name);

  const { detail } = await findingOf(cLlms03, site(list('/start', '/nowhere')));
  t.equal(detail, "1 link is dead: line 4. Checked: 2 of 2 links to the site's own domain.");
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
  t.same(asked.slice(0, 6).map(Number), [0, 1, 2, 3, 4, 5]);
  t.ok(asked.includes('99'));
});

t.test('whatever else goes on has its turn between the links of a long list', async (t) => {
  let nowMs = 0;
  t.capture(performance, 'now', () => (nowMs += 10));
  const turnsWith = async (links: string) => {
    const { turns } = await countTurns(() => collectFrom(site(`# A\n\n${links}`), 'llmsDocument'));
    return turns;
  };
  const [without, turns] = [await turnsWith('[x] (/p)\n'.repeat(100)), await turnsWith('[x](/p)\n'.repeat(100))];
  t.ok(turns >= without + 90, `${turns} turns, ${without} without links`);
});

t.test('C-LLMS-04: characters are counted, not bytes', async (t) => {
  const cases: [name: string, body: string, outcome: string][] = [
    ['100,000 of one byte', `# A${'a'.repeat(99_997)}`, 'PASS'],
    ['one more', `# A${'a'.repeat(99_998)}`, 'FAIL OVERSIZE'],
    ['100,000 of three bytes, after a BOM', `\uFEFF# 字${'字'.repeat(99_997)}`, 'PASS'],
    ['100,000 of four bytes', `# A${'😀'.repeat(99_997)}`, 'PASS'],
    ['past our own limit', `# A\n${'😀'.repeat(262_200)}`, 'FAIL OVERSIZE'],
  ];
  for (const [name, body, outcome] of cases) t.equal(await outcomeOf(cLlms04, site({ body })), outcome, name);
  const mislabelled = { body: `# A${'字'.repeat(50_000)}`, type: 'text/plain; charset=iso-8859-1' };
  t.equal(await outcomeOf(cLlms04, site(mislabelled)), 'PASS', 'the charset of the header does not count');
  t.match((await findingOf(cLlms04, site(`# A${'a'.repeat(60_000)}`))).detail, /60,003 characters.*50,000/);
});

t.test('a cut of our own is no fault of the encoding', async (t) => {
  const document = await collectFrom(site({ body: `# A ${'字'.repeat(400_000)}` }), 'llmsDocument');
  t.match(document, { ok: { textFault: null, isOverLimit: true } });
});

t.test('nothing that the file says reaches a finding', async (t) => {
  const canary = 'CANARY';
  const hostile = `${canary}\n\n## ${canary}\n\n# ${canary}\n\n[${canary}]() [${canary}](/${canary}) [x](http://[${canary})\n`;
  for (const check of [cLlms01, cLlms02, cLlms03, cLlms04]) {
    for (const type of ['text/plain', `text/${canary}`]) {
      t.notMatch(
        (await findingOf(check, site({ body: hostile, type }))).detail ?? '',
        /canary/i,
        `${check.id} ${type}`,
      );
    }
  }
});

t.test('no claim is made about what was not looked at', async (t) => {
  const document = {
    ...{ textFault: null, characterCount: 9, isOverLimit: true, firstHeading: { level: 1, line: 1 } as const },
    ...{ h1: { level: 1, line: 1 } as const, links: [], bareUrlItemLines: [3, 4], hasTemplateText: false },
  };
  const judged = (isWhollyParsed: boolean) => judge(cLlms02, { llmsDocument: found({ ...document, isWhollyParsed }) });
  t.match(judged(true), { result: 'FAIL', errorType: 'STRUCTURE' });
  t.match(judged(false), { result: 'PASS' });
});
