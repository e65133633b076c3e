import { relative } from 'node:path';
import t from 'tap';
import { compileSpec } from '../../src/build/compile-spec.js';
import { finishDocument } from '../../src/build/finish-document.js';
import { CHECKS } from '../../src/scanner/checks/index.js';

interface Compiled {
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> };
}

const compiled = compileSpec().then((documents) => documents['3.1.0']);

t.test('the texts of the checks reach the document unharmed', async (t) => {
  const text = 'Quotes " and `, a backslash \\, ${x}, an at @sign, */ and\nlines – in “UTF-8”.';
  const [first, ...rest] = CHECKS;
  const finished = finishDocument(await compiled, [{ ...first, title: text, explanation: text }, ...rest]);
  const document = JSON.parse(finished) as Compiled;
  t.equal(document.components.schemas.CheckId?.['x-enum-descriptions']?.[0], text);
  t.ok(finished.includes(JSON.stringify({ explanation: text }).slice(2, -1).replace('":', '": ')), 'in an example');
});

t.test('a wrong specification', async (t) => {
  const folder = relative(
    process.cwd(),
    t.testdir({ 'main.tsp': `model A {\n  a: Missing;\n  b: ${'x'.repeat(300)};\n}\n` }),
  );
  const lines = await compileSpec(`${folder}/main.tsp`).then(
    () => [],
    (error: unknown) => (error as Error).message.split('\n'),
  );
  t.equal(lines.length, 2);
  t.match(lines[0], /main\.tsp:2:\d+ - error invalid-ref: /);
  for (const line of lines) t.ok(line.length <= 162, line);
});
