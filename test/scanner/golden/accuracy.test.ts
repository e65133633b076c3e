import t from 'tap';
import { judgeOwn } from '../../accuracy/own-rows.js';
import { formatTable } from '../../accuracy/rows.js';
import { readProject } from '../../support/project.js';

t.test('docs/accuracy.md has the counts of our own cases', async (t) => {
  t.ok(readProject('docs/accuracy.md').includes(formatTable(await judgeOwn())), 'run "make accuracy"');
});
