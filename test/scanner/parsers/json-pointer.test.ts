import t from 'tap';
import { pointersIn, stepTo } from '../../../src/scanner/parsers/json.js';

t.test('a value is found where it begins', async (t) => {
  const text =
    '\uFEFF{ "a" : [ 1, {"b":"x,]}\\"\\\\"}, [ ] ],\n"a/b~": null, "\\u0063" :true,"": {"d": -1.5e3}, "e": "f" }';
  const cases: readonly (readonly [pointer: string, begins: string | null])[] = [
    ['', '{ "a"'],
    ['/a', '[ 1,'],
    ['/a/0', '1, {'],
    ['/a/1/b', '"x,]}'],
    ['/a/2', '[ ] ]'],
    ['/a/3', null],
    ['/a/x', null],
    ['/a/-1', null],
    [stepTo('a/b~'), 'null,'],
    ['/c', 'true,'],
    ['//d', '-1.5e3'],
    ['/e', '"f" }'],
    ['/e/0', null],
    ['/g', null],
  ];
  for (const [pointer, begins] of cases) {
    t.equal(pointersIn(text)(pointer), begins === null ? null : text.indexOf(begins), pointer);
  }
});

t.test('of duplicate keys the last counts, as for the reader', async (t) => {
  t.equal(pointersIn('{"a":1,"a":2}')('/a'), 11);
});

t.test('what is not whole JSON, or hostile, has no place, or one within it', async (t) => {
  const texts = ['', '{', '{"a"', '{"a":', '{"a":"', '[', '[[[', '{"a":1}}', '{"a" 1}', '"', '\\', '[,]', '{"\\q":1}'];
  for (const text of [...texts, '['.repeat(100_000), `{"a":${'{"a":'.repeat(50_000)}`, `"${'\\'.repeat(99_999)}`]) {
    for (const pointer of ['', '/a', '/a/a', '/0', '/0/0']) {
      const offset = pointersIn(text)(pointer);
      t.ok(offset === null || offset < text.length, `${text.slice(0, 10)} ${pointer}`);
    }
  }
});
