import t from 'tap';
import { fillPage } from '../../src/build/documents.js';
import { readProject } from '../support/project.js';

const TABLES: Readonly<Record<string, RegExp>> = {
  'README.md': /"result": "FAIL"/,
  'docs/checks.md': /\| C-LLMS-01 \|/,
  'docs/api.md': /\| `site_not_owned` \|/,
  'docs/configuration.md': /\| `DATABASE_URL` \|/,
};

t.test('the generated tables of the documents are current', async (t) => {
  for (const [page, row] of Object.entries(TABLES)) {
    const text = readProject(page);
    t.match(text, row, page);
    t.equal(fillPage(text), text, `${page}: run "make generate"`);
  }
});

t.test('text around generated tables is unchanged', async (t) => {
  t.match(
    fillPage('# Errors\n\n<!-- errors -->\nold\n<!-- /errors -->\nend\n'),
    /^# Errors\n\n<!-- errors -->\n\n\| status .*\n\n<!-- \/errors -->\nend\n$/s,
  );
  t.equal(fillPage('no table'), 'no table');
});
