import t from 'tap';
import { parseHttpUrl } from '../../../src/scanner/parsers/addresses.js';
import { isRsl, parseReservation, parseTdmFile } from '../../../src/scanner/parsers/preference-files.js';

t.test('an address of up to 4,096 characters is one', async (t) => {
  const ofLength = (length: number) => parseHttpUrl(`https://example.com/`.padEnd(length, 'a'));
  t.equal(ofLength(4096)?.href.length, 4096);
  t.equal(ofLength(4097), null);
});

t.test('tdmrep.json gives locations a reservation', async (t) => {
  const files = {
    read: [
      '\uFEFF[{"location":"/a","tdm-reservation":0},{"location":"/*","tdm-reservation":"1"}]',
      '[{"location":"/a","tdm-reservation":1}]',
    ],
    malformed: ['', '{}', '[]', '[1]', '[{"location":1,"tdm-reservation":1}]', '[{"location":"/"}]'],
    unread: ['['.repeat(50_000)],
  };
  for (const [kind, texts] of Object.entries(files)) for (const text of texts) t.equal(parseTdmFile(text), kind, text);
  t.strictSame([' 1 ', 0, true, '1;', null].map(parseReservation), ['1', '0', 'other', 'other', 'other']);
});

t.test('a document of RSL', async (t) => {
  const rsl = ['<rsl/>', '<x:rsl xmlns:x="https://rslstandard.org/rsl"><x:content/></x:rsl>'];
  const others = [
    ...['<rsl xmlns="https://other.org/"/>', '<license/>', '<rsl>', '', `<rsl>${'<a>'.repeat(100_000)}`],
    '<!DOCTYPE rsl [<!ENTITY a "b">]><rsl>&a;</rsl>',
  ];
  for (const text of rsl) t.ok(isRsl(text), text);
  for (const text of others) t.notOk(isRsl(text), text.slice(0, 40));
});
