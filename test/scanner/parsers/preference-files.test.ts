import t from 'tap';
import { declaredByTokens } from '../../../src/scanner/checks/c-fwd-01/in-fields.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { groupsByToken } from '../../../src/scanner/parsers/robots-match.js';
import { isRsl } from '../../../src/scanner/parsers/rsl.js';
import { parseReservation, parseTdmFile } from '../../../src/scanner/parsers/tdm.js';

t.test('tdmrep.json gives locations a reservation', async (t) => {
  t.strictSame(
    await parseTdmFile('\uFEFF[{"location":"/a","tdm-reservation":0},{"location":"/*","tdm-reservation":"1"}]'),
    {
      isSiteReserved: true,
    },
  );
  t.strictSame(await parseTdmFile('[{"location":"/a","tdm-reservation":1}]'), { isSiteReserved: false });
  for (const text of ['', '{}', '[]', '[1]', '[{"location":1,"tdm-reservation":1}]', '[{"location":"/"}]']) {
    t.equal(await parseTdmFile(text), 'malformed', text);
  }
  t.equal(await parseTdmFile('['.repeat(50_000)), 'overLimit');
  t.strictSame([' 1 ', 0, true, '1;', null].map(parseReservation), ['1', '0', 'other', 'other', 'other']);
});

t.test('a document of RSL', (t) => {
  const cases = [
    ['<rsl/>', true],
    ['<x:rsl xmlns:x="https://rslstandard.org/rsl"><x:content/></x:rsl>', true],
    ['<rsl xmlns="https://other.org/"/>', false],
    ['<license/>', false],
    ['<!DOCTYPE rsl [<!ENTITY a "b">]><rsl>&a;</rsl>', false],
    ['<rsl>', false],
    ['', false],
    [`<rsl>${'<a>'.repeat(100_000)}`, false],
    [`<rsl ${Array.from({ length: 100 }, (_, n) => `a${n}="" `).join('')}/>`, false],
  ] as const;
  for (const [text, expected] of cases) t.equal(isRsl(text), expected, text.slice(0, 40));
  t.end();
});

t.test('a group below a policy token is a preference if it has a rule', async (t) => {
  const robots = await parseRobots('User-agent: Some-Purpose\nDisallow: /a\nUser-agent: other-purpose\nDisallow:');
  const declared = declaredByTokens(groupsByToken(robots), ['some-purpose', 'other-purpose', 'third']);
  t.strictSame(
    declared.map(({ state, place }) => [state, place.text]),
    [['usable', 'line 2 of robots.txt']],
  );
});
