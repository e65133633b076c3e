import t from 'tap';
import { fillReadme } from '../src/build/readme.js';
import { readProject } from './support/project.js';

const readme = readProject('README.md');

t.test('the generated tables of README are current', async (t) => {
  t.equal(fillReadme(readme), readme, 'run "make generate"');
});

t.test('a README that lost its markers is refused', async (t) => {
  t.throws(() => fillReadme('# no markers'), /markers/);
});
