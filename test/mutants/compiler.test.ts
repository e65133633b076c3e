import { join } from 'node:path';
import t from 'tap';
import { Compiler } from './compiler.js';

t.test('the compiler refuses a mutant that is not a program or of another type', async (t) => {
  const folder = t.testdir({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { strict: true, noUnusedLocals: true, types: [], module: 'NodeNext' },
      include: ['src'],
    }),
    src: {
      'a.ts': "import { b } from './b.js';\nexport const a: 'x' | 'y' = b ? 'x' : 'y';\n",
      'b.ts': 'export const b = true;',
    },
  });
  const compiler = new Compiler(join(folder, 'tsconfig.json'));
  const takes = (text: string): boolean => compiler.takes({ file: join(folder, 'src/a.ts'), apply: () => text });
  t.notOk(takes("export const a: 'x' | 'y' = '';"), 'another type');
  t.notOk(takes('export const a = ;'), 'no program');
  t.ok(takes("import { b } from './b.js';\nexport const a: 'x' | 'y' = !b ? 'x' : 'y';"));
  t.ok(takes("import { b } from './b.js';\nexport const a: 'x' | 'y' = 'y';"), 'what is no longer used does not count');
  t.ok(compiler.takes({ file: join(folder, 'src/b.ts'), apply: () => 'export const b = false;' }), 'another file');
});
