import t from 'tap';
import { decideUnanimously, groupTokens } from '../../../src/scanner/checks/bot-policy/readings.js';
import { readRobots } from '../../../src/scanner/parsers/robots-octets.js';
import { isAllowedByAll } from '../../../src/scanner/parsers/robots-readings.js';
import { ROBOTS_ANSWERS } from './robots-answers.js';

const at = (path: string) => new URL(path, 'https://www.fixture-site.com');

async function ask(body: string, path: string, charset: string | null = null) {
  const robots = await readRobots(Buffer.from(body, 'latin1'), charset);
  const isBarred = (token: 'Googlebot' | 'Bingbot') =>
    groupTokens(robots, [token]).some((tokenGroup) => !decideUnanimously(tokenGroup, at(path)).allowed);
  return {
    robots,
    ...{ google: isBarred('Googlebot'), others: isBarred('Bingbot') },
    ours: isAllowedByAll(robots, 'Googlebot', at(path)),
  };
}

for (const kind of new Set(ROBOTS_ANSWERS.map(([one]) => one))) {
  t.test(`robots.txt as others' readers read it: ${kind}`, async (t) => {
    for (const [, what, body, path, google, protego, isCharged] of ROBOTS_ANSWERS.filter(([one]) => one === kind)) {
      const found = await ask(body, path);
      t.equal(found.google, !google, `${what}: ${path} for Googlebot`);
      t.equal(found.others, isCharged, `${what}: ${path} for others`);
      if (isCharged) t.notOk(google || protego, `${what}: whoever opens it spares it`);
      if (!google || !protego) t.notOk(found.ours, `${what}: we stay out of ${path} where one reader would`);
    }
  });
}

t.test('a file is bridged from the charset that it is served with', async (t) => {
  // U+03B1 in ISO 8859-7, barred as octets and as U+FFFD too.
  const greek = 'User-agent: *\nDisallow: /\xe1\nDisallow: /%E1\nDisallow: /%EF%BF%BD\nDisallow: /%CE%B1';
  t.equal((await ask(greek, '/%CE%B1', 'iso-8859-7')).others, true);
  const alpha = 'User-agent: *\nDisallow: /%CE%B1\nAllow: /\xe1';
  t.equal((await ask(alpha, '/%CE%B1', 'iso-8859-7')).others, false, 'this reading opens it');
  for (const charset of [null, 'utf-8', 'UTF8', 'no-such-charset']) {
    t.equal((await ask(alpha, '/%CE%B1', charset)).others, true, `${charset}: this reading does not`);
  }
});

t.test('a file in UTF-8 whose keys are written in full has one reading', async (t) => {
  const { robots } = await ask('User-agent: *\nDisallow: /caf\xc3\xa9\nSitemaps: /s.xml', '/');
  t.match(robots, { google: null, others: [], looseKeyLines: [], octetLines: [] });
});

t.test('the lines on which readers disagree are known', async (t) => {
  const { robots } = await ask('User-agents: *\nDisallow: /x\nAllowed: /\xe9\nDisallow: /\xe9 \xe9\n# \xe9', '/');
  t.same(robots.looseKeyLines, [1, 3]);
  t.same(robots.octetLines, [], 'rules for nobody by full keys');
  const named = await ask('User-agent: *\nDisallow: /x\nDisallow: /\xe9 # \xe9\n# \xe9\nAllow: /%E9', '/');
  t.same(named.robots.octetLines, [3]);
});

t.test('what readings have in common is there once', async (t) => {
  const names = 'User-agent: a\nUser-agents: b\nDisallow: /x\n';
  const { robots } = await ask(`${names}User-agent: c\nDisallow: /y\nAllow: /\xe9\nDisallow all: /z\n`, '/');
  const readings = [robots, ...robots.others].map(({ groups }) => groups);
  t.equal(readings.length, 6, 'three of octets, with and without loose keys');
  const objects = (of: (groups: (typeof readings)[number]) => unknown) => new Set(readings.map(of)).size;
  t.equal(
    objects(([group]) => group),
    2,
    'a group without octets is another only by its keys',
  );
  t.equal(
    objects(([, group]) => group),
    6,
  );
  for (const part of ['tokens', 'parts', 'preferences'] as const)
    t.equal(new Set(readings.map(([, group]) => group?.[part])).size, 1);
  t.equal(
    objects(([, group]) => group?.rules[0]),
    1,
    'a rule without octets',
  );
  t.equal(
    objects(([, group]) => group?.rules[1]),
    3,
    'one with them, whatever the keys',
  );
});
