import t from 'tap';
import { readCorpus, toFixtureSite } from '../../support/corpus.js';
import { recordAndReplay, withoutCount } from '../../support/recorded.js';

for (const { topic, cases } of readCorpus()) {
  t.test(`a replay finds what the scan found: ${topic}`, async (t) => {
    for (const one of cases) {
      const { report, replayed } = await recordAndReplay(toFixtureSite(one));
      t.equal(JSON.stringify(replayed.report), withoutCount(report), one.id);
      t.equal(replayed.missingCount, 0, one.id);
    }
  });
}
