import t from 'tap';
import { mutationsOf } from './mutations.js';

const changesOf = (text: string): string[] => mutationsOf('src/a.tsx', text).map(({ to }) => to);

t.test('each kind of fault', async (t) => {
  const cases: readonly (readonly [text: string, changes: readonly string[]])[] = [
    ['x = a === b;', [';', 'x = a !== b;']],
    ['x = a < 5;', [';', 'x = a <= 5;', 'x = a >= 5;', 'x = a < 6;']],
    ['x = a && b;', [';', 'x = a || b;', 'x = a;', 'x = b;']],
    ['x = a ?? b;', [';', 'x = a;']],
    ['x = !a - -b;', [';', 'x = !a + -b;', 'x = a - -b;', 'x = !a - b;']],
    ['x = 1_000;', [';', 'x = 2000;']],
    ['x = a < b ? -1 : 1;', [';', 'x = a <= b ? -1 : 1;', 'x = a >= b ? -1 : 1;', 'x = a < b ? 1 : 1;']],
    ["x = ['a', ''];", [';', 'x = [];', "x = ['', ''];", "x = ['a', 'mutant'];"]],
    ['if (a) b(); else c();', ['if (!(a)) b(); else c();', 'if (a) {} else c();', 'if (a) b(); else {}']],
    ['await a.b();', [';']],
    ['function f() { return a; }', ['function f() { return undefined; }']],
    ['const f = () => a;', ['const f = () => undefined;']],
    ['const f = () => true;', ['const f = () => false;']],
    ['const f = () => a ? b : c;', ['const f = () => undefined;', 'const f = () => !(a) ? b : c;']],
    ['const x = a.trim().some(b);', ['const x = a.trim().every(b);', 'const x = a.some(b);']],
    ['const x = Math.min(a, b);', ['const x = Math.max(a, b);']],
    [
      'const x = /^(?:a|b)+[^c]$/i;',
      [
        'const x = /(?:a|b)+[^c]$/i;',
        'const x = /^(?:a|b)+[^c]/i;',
        'const x = /^(?:a|b)+[c]$/i;',
        'const x = /^(?:a|b)*[^c]$/i;',
        'const x = /^(?:b)+[^c]$/i;',
        'const x = /^(?:a)+[^c]$/i;',
        'const x = /^(?:a|b)+[^c]$/;',
      ],
    ],
  ];
  for (const [text, changes] of cases) t.same(changesOf(text), changes, text);
});

t.test('types, imports, names and texts for people stay', async (t) => {
  const texts = [
    "import { a } from './a.js';",
    "type A = 'a' | true;",
    'interface A { readonly a: 1; }',
    "const x: 'a' | 1 = y as 2;",
    'const x = safeText`a ${1} b`;',
    "const x = { title: 'a', 'a-b': c };",
    "const x = 'It answers 404.' + y;",
    'const x = `SELECT a ${b}`;',
    'const x = <p class="a">1 {b}</p>;',
  ];
  for (const text of texts) t.same(changesOf(text), [], text);
});

t.test('a mutation tells its place, and gives the whole file', async (t) => {
  const [negated, emptied] = mutationsOf('src/a.ts', 'f(\n  a ||\n    b,\n);\nif (a) {\n  b = c;\n}\n').filter(
    ({ what }) => what === 'right of || dropped' || what === 'body of if emptied',
  );
  t.match(negated, { file: 'src/a.ts', line: 2, from: 'a ||', to: 'a,' });
  t.match(emptied, { line: 5, from: 'if (a) {', to: 'if (a) {}' });
  t.equal(emptied?.apply(), 'f(\n  a ||\n    b,\n);\nif (a) {}\n');
});
