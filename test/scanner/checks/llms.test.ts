import t from 'tap';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import { cLlms02 } from '../../../src/scanner/checks/c-llms-02.js';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03.js';
import { cLlms04 } from '../../../src/scanner/checks/c-llms-04.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { GOOD, HTML, outcomeOf, site } from './llms-sites.js';

t.test('what cannot be read as Markdown fails C-LLMS-01 alone', async (t) => {
  const cases: [name: string, llms: FixtureRoute | null, outcome: string][] = [
    ['Markdown under another type is read', { body: GOOD, type: 'application/octet-stream' }, 'PASS'],
    ['absent', null, 'NOT_APPLICABLE'],
    ['HTML', { body: HTML, type: 'text/html' }, 'NOT_APPLICABLE'],
    ['JSON', { body: '{"a":1}', type: 'application/json' }, 'NOT_APPLICABLE'],
    ['refused', { status: 403 }, 'NOT_APPLICABLE'],
    ['not established', { status: 429 }, 'NOT_APPLICABLE'],
  ];
  for (const [name, llms, outcome] of cases) {
    for (const check of [cLlms02, cLlms03, cLlms04]) {
      t.equal(await outcomeOf(check, site(llms)), outcome, `${name}: ${check.id}`);
    }
  }
});

t.test('nothing that the file says reaches a finding', async (t) => {
  const canary = 'CANARY';
  const hostile = `${canary}\n\n## ${canary}\n\n# ${canary}\n\n[${canary}]() [${canary}](/${canary}) [x](http://[${canary})\n`;
  for (const check of [cLlms01, cLlms02, cLlms03, cLlms04]) {
    for (const type of ['text/plain', `text/${canary}`]) {
      t.notMatch(
        (await findingOf(check, site({ body: hostile, type }))).detail ?? '',
        /canary/i,
        `${check.id} ${type}`,
      );
    }
  }
});
