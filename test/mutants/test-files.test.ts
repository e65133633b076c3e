import t from 'tap';
import { TestFiles } from './test-files.js';

t.test('the tests of a module: of its name, of its room, of the rooms alongside it, then near ones', async (t) => {
  const importing = (...paths: readonly string[]) => paths.map((path) => `import '${path}';`).join('\n');
  const tree = t.testdir({
    src: {
      scanner: {
        parsers: { 'json-ld.js': '', 'reader.js': importing('./json-ld.js'), 'other.js': '' },
        scan: { 'scan.js': importing('../parsers/reader.js') },
      },
    },
    test: {
      scanner: {
        parsers: {
          'far.test.js': importing('../../../src/scanner/scan/scan.js'),
          'near.test.js': importing('../../../src/scanner/parsers/reader.js'),
          'json.test.js': importing('../../../src/scanner/scan/scan.js'),
          'other.test.js': importing('../../../src/scanner/parsers/other.js'),
        },
        golden: { 'nearby.test.js': importing('../../../src/scanner/scan/scan.js') },
      },
      scan: { 'a.test.js': "if (/:\\/\\//.test(a)) await import('../../src/scanner/parsers/json-ld.js');" },
      support: { 'helper.js': importing('../../src/scanner/parsers/json-ld.js') },
    },
  });
  t.same(new TestFiles(tree).for('src/scanner/parsers/json-ld.ts'), [
    'test/scanner/parsers/json.test.js',
    'test/scanner/parsers/near.test.js',
    'test/scanner/parsers/far.test.js',
    'test/scanner/golden/nearby.test.js',
    'test/scan/a.test.js',
  ]);
  t.same(new TestFiles(tree).for('src/parse/nobody.ts'), []);
});

t.test('a module that is started as a program or loaded by its name is reached too', async (t) => {
  const at = (path: string) => `const a = new URL("${path}", import.meta.url);`;
  const tree = t.testdir({
    src: {
      'main.js': "import './wiring.js';",
      'wiring.js': at('worker.js') + at('operations/'),
      'worker.js': '',
      operations: { 'get-run.js': '' },
    },
    test: {
      'program.test.js': "import './support/program.js';",
      'other.test.js': at('../..') + at('../generated/'),
      support: { 'program.js': 'new URL("src/main.js", BUILD)' },
    },
  });
  const files = new TestFiles(tree);
  for (const source of ['main', 'wiring', 'worker', 'operations/get-run']) {
    t.same(files.for(`src/${source}.ts`), ['test/program.test.js'], source);
  }
});
