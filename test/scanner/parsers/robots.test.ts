import t from 'tap';
import type { RobotsTxt, RobotsView } from '../../../src/scanner/artifacts/robots.js';
import { decideUnanimously } from '../../../src/scanner/checks/bot-policy.js';
import { parseRobots, decide, groupsFor, isAllowedInBothViews } from '../../../src/scanner/parsers/robots.js';

const at = (path: string) => new URL(path, 'https://www.fixture-site.com');
const mayFetch = ({ groups }: RobotsTxt, token: string, url: URL, view: RobotsView = 'rfc') =>
  decide(groupsFor(groups[view], token), url);

t.test('a group is its User-agent lines and the rules after them', async (t) => {
  const cases: [what: string, robots: string, allowed: string, barred: string][] = [
    ['two names share one group', 'User-agent: a\nUser-agent: b\nDisallow: /x', 'c', 'a b'],
    ['a blank line ends nothing', 'User-agent: a\n\n\nDisallow: /x', 'c', 'a'],
    ['a rule between names starts a new group', 'User-agent: a\nDisallow: /y\nUser-agent: b\nDisallow: /x', 'a', 'b'],
    [
      'groups of one name merge',
      'User-agent: a\nDisallow: /y\nUser-agent: b\nAllow: /\nUser-agent: A\nDisallow: /x',
      'b',
      'a',
    ],
    ['a rule before every group counts for nobody', 'Disallow: /x\nUser-agent: a\nDisallow: /y', 'a b', ''],
    ['a name replaces *', 'User-agent: *\nDisallow: /x\nUser-agent: a\nDisallow: /y', 'a', 'b'],
    ['an empty Disallow replaces * as well', 'User-agent: *\nDisallow: /x\nUser-agent: a\nDisallow:', 'a', 'b'],
    ['a group without a rule replaces * as well', 'User-agent: *\nDisallow: /x\nUser-agent: a', 'a', 'b'],
    ['names are compared whole', 'User-agent: a-bot\nDisallow: /x', 'a a-bot-news bot', 'a-bot A-BOT'],
    ['a version is not part of the name', 'User-agent: a/2.1 (x)\nDisallow: /x', 'b', 'a'],
    ['* must stand alone', 'User-agent: *bot\nDisallow: /x', 'a bot', ''],
    ['carriage returns alone end lines', 'User-agent: a\rDisallow: /x', 'b', 'a'],
    ['CR LF ends one line', 'User-agent: a\r\nDisallow: /x\r\n', 'b', 'a'],
    ['a BOM is skipped', '\uFEFFUser-agent: a\nDisallow: /x', 'b', 'a'],
    ['a broken BOM is skipped', '\uFFFDUser-agent: a\nDisallow: /x', 'b', 'a'],
    ['comments and white space do not count', ' user-AGENT : a # b\n\tDISALLOW\t: /x # c', 'b', 'a'],
    [
      'a BOM within the file makes its record an unknown one',
      'User-agent: a\n\uFEFFUser-agent: b\nDisallow: /x',
      'b',
      'a',
    ],
    ['a BOM is not white space around a value', 'User-agent: \uFEFFa\nDisallow: /x', 'a', ''],
    ['nor is it one around a path', 'User-agent: a\nDisallow: \uFEFF/x', 'a', ''],
    ['an unknown record is ignored', 'User-agent: a\nNoindex: /x\nCrawl-delay: 5', 'a', ''],
    ['frequent misspellings are understood', 'User-agent: a\nDissalow: /x', 'b', 'a'],
    ['two words without a colon are understood', 'user-agent a\ndisallow /x', 'b', 'a'],
    ['a name of another object is an unknown record', 'User-agent: a\nconstructor: /x\n__proto__: /x', 'a', ''],
  ];
  for (const [what, text, allowed, barred] of cases) {
    const robots = parseRobots(text);
    for (const token of allowed.split(' ')) t.ok(mayFetch(robots, token, at('/x')).allowed, `${what}: ${token} may`);
    for (const token of barred.split(' ').filter(Boolean)) {
      t.notOk(mayFetch(robots, token, at('/x')).allowed, `${what}: ${token} may not`);
    }
  }
});

t.test('strict readers end a list of names at any other record', async (t) => {
  const cases: [what: string, robots: string, google: string, strict: string][] = [
    ['a pause', 'User-agent: a\nCrawl-delay: 2\nUser-agent: b\nDisallow: /x', 'a b', 'b'],
    ['a sitemap', 'User-agent: a\nSitemap: /s.xml\nUser-agent: b\nDisallow: /x', 'a b', 'b'],
    ['an unknown record', 'User-agent: a\nRequest-rate: 1/5\nUser-agent: b\nDisallow: /x', 'a b', 'b'],
    ['an empty value', 'User-agent: a\nNoindex:\nUser-agent: b\nDisallow: /x', 'a b', 'b'],
    ['a comment is not a record', 'User-agent: a\n# Crawl-delay: 2\n\nUser-agent: b\nDisallow: /x', 'a b', 'a b'],
    ['a line without a colon is none', 'User-agent: a\nand this one\nUser-agent: b\nDisallow: /x', 'a b', 'a b'],
    ['a record after the names', 'User-agent: a\nUser-agent: b\nCrawl-delay: 2\nDisallow: /x', 'a b', 'a b'],
    ['a name on both sides', 'User-agent: a\nX: y\nUser-agent: b\nUser-agent: a\nDisallow: /x', 'a b', 'a b'],
    [
      'a name without a rule does not fall back',
      'User-agent: *\nDisallow: /\nUser-agent: a\nX: y\nUser-agent: b',
      'c',
      'c',
    ],
    [
      'an Allow that only one of them reaches',
      'User-agent: a\nDisallow: /x\nUser-agent: a\nX: y\nUser-agent: b\nAllow: /x',
      '',
      'a',
    ],
  ];
  const tokens = ['a', 'b', 'c'];
  for (const [what, text, google, strict] of cases) {
    const robots = parseRobots(text);
    const listBarred = (view: RobotsView) => tokens.filter((token) => !mayFetch(robots, token, at('/x'), view).allowed);
    t.strictSame(listBarred('google').join(' '), google, `${what}, for Google`);
    t.strictSame(listBarred('rfc').join(' '), strict, `${what}, read strictly`);
    const ours = tokens.filter((token) => !isAllowedInBothViews(robots, token, at('/x')));
    const either = tokens.filter((token) => `${google} ${strict}`.includes(token));
    t.strictSame(ours, either, `${what}, for us`);
  }
});

t.test('other records divide the names only for RFC 9309', async (t) => {
  const divided = parseRobots(
    'User-agent: a\nContent-Signal: search=no\nUser-agent: b\nContent-Signal: search=yes\nCrawl-delay: 3\nDisallow: /x',
  );
  const statements = (view: RobotsView) =>
    divided.groups[view].map(
      ({ tokens, preferences }) => `${tokens.join(' ')}: ${preferences.map(({ line }) => line)}`,
    );
  t.strictSame(statements('google'), ['a b: 2,4']);
  t.strictSame(statements('rfc'), ['a: 2', 'b: 4']);
});

t.test('a token without a group follows its fallbacks', async (t) => {
  const robots = parseRobots('User-agent: *\nDisallow: /x\nUser-agent: b\nAllow: /x');
  const barred = (token: string, ...fallbacks: string[]) =>
    !decide(groupsFor(robots.groups.rfc, token, fallbacks), at('/x')).allowed;
  t.ok(barred('a'));
  t.notOk(barred('a', 'b'));
  t.ok(barred('a', 'c'));
});

t.test('the longest matching rule decides, and Allow between equals', async (t) => {
  const cases: [rules: string, path: string, allowed: boolean, line: number | null][] = [
    ['Disallow: /', '/x', false, 2],
    ['Disallow: /\nAllow: /', '/x', true, 3],
    ['Allow: /p\nDisallow: /', '/page', true, 2],
    ['Disallow: /folder\nAllow: /folder/page', '/folder/page', true, 3],
    ['Disallow: /folder/page\nAllow: /folder', '/folder/page', false, 2],
    ['Disallow: /*.gif$', '/a/b.gif', false, 2],
    ['Disallow: /*.gif$', '/a/b.gif?x', true, null],
    ['Disallow: /*.gif', '/a/b.gif?x', false, 2],
    ['Disallow: /a*b*c', '/a1b2c3', false, 2],
    ['Disallow: /a*b*c', '/a1c2b3', true, null],
    ['Disallow: /a*a$', '/a', true, null],
    ['Disallow: /a*a$', '/aa', false, 2],
    ['Disallow: *', '/x', false, 2],
    ['Disallow: /$\nAllow: /', '/', false, 2],
    ['Disallow: x', '/x', true, null],
    ['Disallow: /X', '/x', true, null],
    ['Disallow: /find?', '/find?', false, 2],
    ['Disallow: /robots.txt\nDisallow: /', '/robots.txt', true, null],
    ['Disallow: /x#y', '/x', false, 2],
  ];
  for (const [rules, path, allowed, line] of cases) {
    const decision = mayFetch(parseRobots(`User-agent: *\n${rules}`), 'any', at(path));
    t.strictSame([decision.allowed, decision.rule?.line ?? null], [allowed, line], `${rules} on ${path}`);
  }
});

/**
 * What others' readers answer for Googlebot: grobotstxt 1.0.3 (a port of the parser that Google published), then Protego 0.7.0, and last
 * whether a token of another vendor may fetch the path, which is only charged if no reader opens it. Asked on 23 November 2026.
 */
const READERS: readonly (readonly [rules: string, path: string, answers: string])[] = [
  ['Disallow: /\nAllow: /index.html', '/', 'yyy'],
  ['Disallow: /\nAllow: /index.html', '/?x=1', 'nnn'],
  ['Disallow: /docs/\nAllow: /docs/index.htm', '/docs/', 'yny'],
  ['Disallow: /docs\nAllow: /docs/index.html', '/docs', 'nnn'],
  ['Disallow: /docs/\nAllow: /docs/Index.html', '/docs/', 'nnn'],
  ['Disallow: /$\nAllow: /index.html', '/', 'yyy'],
  ['Disallow: /docs/*\nAllow: /*/index.html', '/docs/', 'nnn'],
  ['Disallow: /\nAllowed: /', '/', 'yny'],
  ['Disallowed: /', '/', 'nyy'],
  ['Disallow all /', '/', 'yyy'],
  ['Disallow: /\nUser-agents: Googlebot\nUser-agents: Bingbot\nAllow: /', '/', 'yyy'],
  ['Disallow: /a b', '/a%20b', 'yny'],
  ['Disallow: /a%20b%7C', '/a%20b%7C', 'nnn'],
  ['Disallow: /x\nAllow: /x y', '/x%20y', 'nyy'],
];

t.test('robots.txt as other parsers read it', async (t) => {
  for (const [rules, path, answers] of READERS) {
    const robots = parseRobots(`User-agent: *\n${rules}`);
    const isOpen = (token: 'Googlebot' | 'Bingbot') => decideUnanimously(robots, token, at(path)).allowed;
    const [google, protego, others] = Array.from(answers, (answer) => answer === 'y');
    t.strictSame([isOpen('Googlebot'), isOpen('Bingbot')], [google, others], `${rules}: ${path}`);
    if (!google || !protego) t.notOk(isAllowedInBothViews(robots, 'Googlebot', at(path)), `we stay out of ${path}`);
  }
});

t.test('paths are compared with the same percent-encoding on both sides (RFC 9309 §2.2.2)', async (t) => {
  const isBarred = (rule: string, path: string) =>
    !mayFetch(parseRobots(`User-agent: *\nDisallow: ${rule}`), 'any', at(path)).allowed;
  const same = '/ツ=/%E3%83%84 /%e3%83%84=/ツ /%7Ejoe=/~joe /~joe=/%7ejoe /a|b=/a|b /%2A=/* /a$b=/a$b /100%=/100%';
  for (const pair of [...same.split(' '), '/a b=/a%20b']) {
    const [rule = '', path = ''] = pair.split('=');
    t.ok(isBarred(rule, path), pair);
  }
  const different = { '/a%2Fb': '/a/b', '/a/b': '/a%2Fb', '/a%3Fb': '/a?b' };
  for (const [rule, path] of Object.entries(different)) t.notOk(isBarred(rule, path), `${rule} ≠ ${path}`);
});

t.test('sitemaps and preferences keep their lines', async (t) => {
  const robots = parseRobots(
    'Content-Signal: search=no\nSitemap: https://a.com/s.xml\nUser-agent: *\nContent-Usage: train-ai=n\nDisallow:\nsitemap:/two.xml\nSitemap:',
  );
  t.strictSame(robots.sitemaps, [
    { value: 'https://a.com/s.xml', line: 2 },
    { value: '/two.xml', line: 6 },
  ]);
  t.strictSame(parseRobots('License: https://a.com/l.xml\nUser-agent: *\nlicense:').licenses, [
    { value: 'https://a.com/l.xml', line: 1 },
  ]);
  t.strictSame(robots.ungroupedPreferences, [{ field: 'content-signal', value: 'search=no', line: 1 }]);
  t.strictSame(robots.groups.rfc[0]?.preferences, [{ field: 'content-usage', value: 'train-ai=n', line: 4 }]);
});

t.test('bait for backtracking is matched in linear time', async (t) => {
  const baits = [
    `/${'*a'.repeat(50_000)}b`,
    `/${'a*'.repeat(50_000)}b$`,
    `/${'*'.repeat(100_000)}b`,
    `/*${'a'.repeat(2_000)}b`,
    '%'.repeat(100_000),
    '\u00e9'.repeat(100_000),
  ];
  const path = at(`/${'a'.repeat(8_000)}`);
  for (const bait of baits) t.ok(mayFetch(parseRobots(`User-agent: *\nDisallow: ${bait}`), 'any', path).allowed);
  t.equal(parseRobots('\n'.repeat(1_000_000)).groups.rfc.length, 0);
  t.equal(parseRobots('User-agent: a\n'.repeat(70_000)).groups.rfc.length, 1);
});

t.test('a line of many kilobytes is ignored, not cut', async (t) => {
  const { groups } = parseRobots(
    `User-agent: *\nDisallow: /${'a'.repeat(20_000)}\nDisallow: /b # ${'c'.repeat(20_000)}`,
  );
  t.strictSame(
    groups.rfc[0]?.rules.map(({ pattern }) => pattern),
    ['/b'],
  );
});

t.test('the first Agentmap lines are stored, in or out of groups', async (t) => {
  const lines = [
    'AGENTMAP: https://www.fixture-site.com/a.json # here',
    'User-agent: *',
    'Agentmap:',
    'agentmap: /b.json',
  ];
  const { agentmaps, groups } = parseRobots([...lines, 'Disallow: /x', 'Agentmap: c\n'.repeat(40)].join('\n'));
  t.strictSame(agentmaps.slice(0, 3), [
    { value: 'https://www.fixture-site.com/a.json', line: 1 },
    { value: '/b.json', line: 4 },
    { value: 'c', line: 6 },
  ]);
  t.equal(agentmaps.length, 10);
  t.equal(groups.rfc[0]?.rules.length, 1);
});
