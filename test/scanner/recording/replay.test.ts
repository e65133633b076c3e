import t from 'tap';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { readCorpus, toFixtureSite } from '../../support/corpus.js';
import { LoopbackTransport } from '../../support/loopback-transport.js';
import { recordAndReplay } from '../../support/recorded.js';

for (const { name, site } of FIXTURE_SITES) {
  t.test(`a replay finds what the scan found, over sockets: ${name}`, async (t) => {
    const { report, replayed } = await recordAndReplay(site, { transport: await LoopbackTransport.open(site) });
    t.equal(JSON.stringify(replayed.report), JSON.stringify(report));
    t.equal(replayed.missingCount, 0);
  });
}

for (const { topic, cases } of readCorpus()) {
  t.test(`a replay finds what the scan found: ${topic}`, async (t) => {
    for (const one of cases) {
      const { report, replayed } = await recordAndReplay(toFixtureSite(one));
      t.equal(JSON.stringify(replayed.report), JSON.stringify(report), one.id);
      t.equal(replayed.missingCount, 0, one.id);
    }
  });
}
