import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import t from 'tap';
import { countContainers, parseJson, createPointerLookup, pointerStep } from '../../../src/scanner/parsers/json.js';

/** Our value in the shape of JSON.parse's. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)])) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

t.test('JSON reads as JSON.parse reads it', async () => {
  const limits = { containersMax: 1000 };
  const value = fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (text, indent) => {
    const expected: unknown = JSON.parse(text);
    const reading = parseJson(JSON.stringify(expected, null, indent), limits);
    return reading.kind === 'value' && isDeepStrictEqual(plain(reading.value), expected);
  });
  fc.assert(value, { numRuns: 300 });
  const unit = fc.constantFrom(...Array.from('{}[]:,"\\u0b1-+.eE truefalsnl\n\u0001\u00a0'));
  const isRefused = fc.property(
    fc.string({ unit }),
    (text) => parseJson(text, limits).kind === (isJson(text) ? 'value' : 'broken'),
  );
  fc.assert(isRefused, { numRuns: 2000 });
});

t.test('a text of more than 100 levels is refused; siblings and strings are no levels', async (t) => {
  const isRefused = (text: string): boolean => countContainers(text) === null;
  for (const [open, close, levels] of [
    ['[', ']', 100],
    ['{"a":', '}', 100],
    ['[{"a":', '}]', 50],
  ] as const) {
    t.notOk(isRefused(open.repeat(levels) + '1' + close.repeat(levels)), open);
    t.ok(isRefused(open.repeat(levels + 1)), open);
  }
  for (const value of [[{}, 1], ['[{'.repeat(500)], [`"${'['.repeat(500)}`, `\\${'['.repeat(500)}`]])
    t.notOk(isRefused(JSON.stringify(value)));
  t.ok(isRefused(JSON.stringify('\\') + '['.repeat(101)), 'a string ends behind an escaped backslash');
});

t.test('reading stops at the first error, however deep the rest is', async (t) => {
  const limits = { containersMax: 1_000_000 };
  for (const [start, piece, offset] of [
    ['[', '},[', 1],
    ['[', '1 ', 3],
    ['["\n,', '[', 2],
    ['[/*"*/', '[', 1],
  ] as const) {
    const text = start + piece.repeat(45_000);
    t.match(parseJson(text, limits), { kind: 'broken', offset }, text.slice(0, 9));
    t.doesNotThrow(() => createPointerLookup(text)('/0'), text.slice(0, 9));
  }
});

t.test('a pointer gives the offset of its value', async (t) => {
  const text =
    '\uFEFF{ "a" : [ 1, {"b":"x,]}\\"\\\\"}, [ ] ],\n"a/b~": null, "\\u0063" :true,"": {"d": -1.5e3}, "e": "f" }';
  const begins: Record<string, string | null> = {
    ...{ '': '{ "a"', '/a': '[ 1,', '/a/0': '1, {', '/a/1/b': '"x,]}', '/a/2': '[ ] ]', '/c': 'true,' },
    ...{ [pointerStep('a/b~')]: 'null,', '//d': '-1.5e3', '/e': '"f" }' },
    ...{ '/a/3': null, '/a/x': null, '/a/-1': null, '/e/0': null, '/g': null },
  };
  for (const [pointer, start] of Object.entries(begins))
    t.equal(createPointerLookup(text)(pointer), start === null ? null : text.indexOf(start), pointer);
  t.equal(createPointerLookup('{"a":1,"a":2}')('/a'), 11, 'the last of two equal keys counts');
  const broken = ['', '{', '{"a"', '{"a":', '{"a":"', '[', '[[[', '{"a":1}}', '{"a" 1}', '"', '\\', '[,]', '{"\\q":1}'];
  for (const hostile of [...broken, '['.repeat(100_000), `{"a":${'{"a":'.repeat(50_000)}`, `"${'\\'.repeat(99_999)}`]) {
    for (const pointer of ['', '/a', '/a/a', '/0', '/0/0']) {
      const offset = createPointerLookup(hostile)(pointer);
      t.ok(offset === null || offset < hostile.length, `${hostile.slice(0, 10)} ${pointer}`);
    }
  }
});
