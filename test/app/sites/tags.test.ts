import t from 'tap';
import { foldTag, parseTag, parseTags, removeTag, addTags } from '../../../src/app/sites/site-settings.js';

t.test('a tag is one line of visible text', async (t) => {
  for (const [text, tag] of [
    ['shops', 'shops'],
    ['  Acme \t GmbH ', 'Acme GmbH'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['店', '店'],
    ['=1+1', '=1+1'],
    [' # shops', 'shops'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['😀'.repeat(40), '😀'.repeat(40)],
  ] as const) {
    t.equal(parseTag(text), tag);
  }
  for (const [text, message] of [
    [' ', /^Enter/],
    ['#', /^Enter/],
    ['x'.repeat(41), / 40 characters/],
    ...['a\u0000b', 'a\u202eb', 'a\u200bb', '\u2800', '\u3164', 'a\ud800'].map((text) => [text, /visible/] as const),
    ['a,b', /comma/],
  ] as const) {
    t.throws(() => parseTag(text), { name: 'InputError', field: 'tag', message }, JSON.stringify(text));
  }
});

t.test('tags are equal without case', async (t) => {
  t.same(parseTags('Shops, shops, SHOPS ,,Straße, STRASSE'), ['Shops', 'Straße']);
  t.same(addTags(['Shops'], ['shops', 'b']), ['Shops', 'b'], 'the first spelling stays');
  t.same(removeTag(['Shops', 'b'], 'SHOPS'), ['b']);
  t.equal(foldTag('ＡＢＣ'), 'abc', 'nor does full width');
  for (const tag of ['STRAẞE', 'ẞ', 'İ', 'ΣΑΣ']) t.equal(foldTag(foldTag(tag)), foldTag(tag), tag);
});

t.test('a site has at most ten tags', async (t) => {
  const ten = Array.from({ length: 10 }, (_, index) => `t${index}`);
  t.same(parseTags(ten.join()), ten);
  t.throws(() => parseTags([...ten, 'one too many'].join()), {
    name: 'InputError',
    message: / 10 tags/,
  });
  t.same(addTags(ten, ['T1']), ten);
});
