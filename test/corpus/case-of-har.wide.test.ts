import t from 'tap';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { recordFixture } from '../support/recorded.js';
import { makeCase } from './case-of-har.js';

/** Sites of which a case cannot say all: failures, texts that go by their language, refusals that go by the agent. */
const CHANGED = ['strained', 'http-only', 'expired-certificate', 'down', 'international', 'bot-blocking'];

for (const { name, site } of FIXTURE_SITES) {
  t.test(`a case made of a recording keeps its findings: ${name}`, async (t) => {
    const { recording } = await recordFixture(site);
    const { rows, corpusCase } = await makeCase(recording, 'one');
    const changed = rows.filter(({ before, after }) => before !== after);
    if (CHANGED.includes(name)) t.not(changed.length, 0);
    else t.same(changed, []);
    for (const { checkId } of changed) t.notOk(checkId in corpusCase.expect, 'a case says nothing of what changed');
    if (site.origin) t.notMatch(JSON.stringify(corpusCase), new URL(site.origin).hostname, 'the host is renamed');
  });
}
