import t from 'tap';
import { foldTag, parseTag, parseTags, withoutTag, withTags } from '../../../src/app/sites/tags.js';
import { PAYLOADS } from '../../e2e/payloads.js';

t.test('a tag is a line of text that can be seen', async (t) => {
  for (const [text, tag] of [
    ['shops', 'shops'],
    ['  Acme \t GmbH ', 'Acme GmbH'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['店', '店'],
    ['=1+1', '=1+1'],
    ['x'.repeat(40), 'x'.repeat(40)],
    ['😀'.repeat(40), '😀'.repeat(40)],
  ] as const) {
    t.equal(parseTag(text), tag);
  }
  for (const [text, message] of [
    [' ', /^Give a tag/],
    ['x'.repeat(41), /at most 40 characters/],
    ['a\u0000b', /that can be seen/],
    ['a\u202eb', /that can be seen/],
    ['a\u200bb', /that can be seen/],
    ['\u2800', /that can be seen/],
    ['\u3164', /that can be seen/],
    ['a\ud800', /that can be seen/],
    ['a,b', /^A comma parts tags/],
  ] as const) {
    t.throws(() => parseTag(text), { name: 'InputError', field: 'tag', message }, JSON.stringify(text));
  }
});

t.test('upper and lower case do not make another tag', async (t) => {
  t.same(parseTags('Shops, shops, SHOPS ,,Straße, STRASSE'), ['Shops', 'Straße']);
  t.same(withTags(['Shops'], ['shops', 'b']), ['Shops', 'b'], 'the first spelling stays');
  t.same(withoutTag(['Shops', 'b'], 'SHOPS'), ['b']);
  t.equal(foldTag('ＡＢＣ'), 'abc', 'nor does full width');
  for (const tag of ['STRAẞE', 'ẞ', 'İ', 'ΣΑΣ']) t.equal(foldTag(foldTag(tag)), foldTag(tag), tag);
});

t.test('a site has ten', async (t) => {
  const ten = Array.from({ length: 10 }, (_, index) => `t${index}`);
  t.same(parseTags(ten.join()), ten);
  t.throws(() => parseTags([...ten, 'one too many'].join()), {
    name: 'InputError',
    message: 'A site has at most 10 tags.',
  });
  t.same(withTags(ten, ['T1']), ten);
});

t.test('payloads are texts like others', async (t) => {
  for (const payload of PAYLOADS.filter((text) => text.length <= 40 && !text.includes(','))) {
    t.equal(parseTag(payload), payload);
  }
});
