import { readFileSync } from 'node:fs';
import t from 'tap';
import { fillReadme } from '../src/build/readme.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

t.test('the generated tables of README are current', async (t) => {
  t.equal(fillReadme(readme), readme, 'run "make generate"');
});

t.test('a README that lost its markers is refused', async (t) => {
  t.throws(() => fillReadme('# no markers'), /markers/);
});
