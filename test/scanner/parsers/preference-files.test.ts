import t from 'tap';
import { isRsl, parseReservation, parseTdmFile } from '../../../src/scanner/parsers/preference-files.js';

t.test('tdmrep.json gives locations a reservation', async (t) => {
  for (const text of [
    '\uFEFF[{"location":"/a","tdm-reservation":0},{"location":"/*","tdm-reservation":"1"}]',
    '[{"location":"/a","tdm-reservation":1}]',
  ])
    t.equal(parseTdmFile(text), 'read');
  for (const text of ['', '{}', '[]', '[1]', '[{"location":1,"tdm-reservation":1}]', '[{"location":"/"}]']) {
    t.equal(parseTdmFile(text), 'malformed', text);
  }
  t.equal(parseTdmFile('['.repeat(50_000)), 'unread');
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
