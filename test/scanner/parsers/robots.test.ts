import t from 'tap';
import type { RobotsTxt } from '../../../src/scanner/artifacts/robots.js';
import { parseRobots, decide, groupsFor } from '../../../src/scanner/parsers/robots.js';

const at = (path: string) => new URL(path, 'https://www.fixture-site.com');
const mayFetch = ({ groups }: RobotsTxt, token: string, url: URL) => decide(groupsFor(groups.rfc, token), url);

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
    ['a broken BOM is skipped', '\uFFFDUser-agent: a\nDisallow: /x', 'b', 'a'],
    ['comments and white space do not count', ' user-AGENT : a # b\n\tDISALLOW\t: /x # c', 'b', 'a'],
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

t.test('a line of many kilobytes is ignored, not cut', async (t) => {
  const long = `Disallow: /${'a'.repeat(20_000)}\nDisallow: /b # ${'c'.repeat(20_000)}`;
  const { groups } = parseRobots(`User-agent: *\n${long}`);
  const patterns = groups.rfc[0]?.rules.map(({ pattern }) => pattern);
  t.strictSame(patterns, ['/b']);
});

t.test('the first addresses of each kind are stored with their lines, in or out of groups', async (t) => {
  const lines = [
    'AGENTMAP: https://a.com/a.json # here',
    'User-agent: *',
    'sitemap:/s.xml',
    'License: /l',
    'Agentmap:',
    'Disallow: /x',
  ];
  const { agentmaps, sitemaps, licenses, groups } = parseRobots([...lines, 'Agentmap: c\n'.repeat(40)].join('\n'));
  t.strictSame(agentmaps.slice(0, 2), [
    { value: 'https://a.com/a.json', line: 1 },
    { value: 'c', line: 7 },
  ]);
  t.equal(agentmaps.length, 10);
  t.strictSame(sitemaps, [{ value: '/s.xml', line: 3 }]);
  t.strictSame(licenses, [{ value: '/l', line: 4 }]);
  t.equal(groups.rfc[0]?.rules.length, 1);
});
