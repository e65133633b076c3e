import t from 'tap';
import { CHECKS, NOTES } from '../../../src/scanner/checks/index.js';
import { readCorpus, toFixtureSite } from '../../support/corpus.js';
import { scanFixture } from '../../support/golden.js';

const corpus = readCorpus();
const cases = corpus.flatMap((topic) => topic.cases);

t.test('every case is named once, and labels checks and notes that there are', async (t) => {
  t.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
  const checks = new Set<string>(CHECKS.map(({ id }) => id));
  const notes = new Set(NOTES.map(({ rule: { id } }) => id));
  for (const { id, shows, expect, notes: labels = [] } of cases) {
    t.ok(Object.keys(expect).length + labels.length > 0, `${id} labels something`);
    t.match(shows, /^[A-Z].*\.$/s, `${id} says its rule in a sentence`);
    t.same(
      [
        ...Object.keys(expect).filter((checkId) => !checks.has(checkId)),
        ...labels.filter((label) => !notes.has(label.replace('!', ''))),
      ],
      [],
      id,
    );
  }
});

for (const topic of corpus) {
  t.test(`each case comes out as labelled: ${topic.topic}`, async (t) => {
    for (const corpusCase of topic.cases) {
      const { findings, notes } = await scanFixture(toFixtureSite(corpusCase));
      const found = new Map(
        findings.map(({ checkId, result, errorType }) => [checkId, errorType ? `${result} ${errorType}` : result]),
      );
      const details = new Map(findings.map(({ checkId, detail }) => [checkId, detail]));
      for (const [checkId, expected] of Object.entries(corpusCase.expect)) {
        t.equal(found.get(checkId), expected, `${corpusCase.id}, ${checkId}: ${details.get(checkId) ?? ''}`);
      }
      const seen = new Set(notes.map(({ id }) => id));
      for (const label of corpusCase.notes ?? []) {
        t.equal(seen.has(label.replace('!', '')), !label.startsWith('!'), `${corpusCase.id}: note ${label}`);
      }
    }
  });
}
