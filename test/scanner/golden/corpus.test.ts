import t from 'tap';
import { CHECKS, NOTES } from '../../../src/scanner/checks/index.js';
import { verdictsOf } from '../../accuracy/own-rows.js';
import { readCorpus, scanOwnSites } from '../../support/own-scans.js';

const cases = readCorpus().flatMap((topic) => topic.cases);

t.test('every case is named once, and labels checks and notes that there are', async (t) => {
  t.equal(new Set(cases.map(({ id }) => id)).size, cases.length);
  const checks = new Set<string>(CHECKS.map(({ id }) => id));
  const notes = new Set(NOTES.map(({ id }) => id));
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

t.test('each case comes out as labelled', async (t) => {
  for (const { name, report, corpusCase } of await scanOwnSites()) {
    if (!corpusCase) continue;
    const found = verdictsOf(report);
    const details = new Map(report.findings.map(({ checkId, detail }) => [checkId, detail]));
    for (const [checkId, expected] of Object.entries(corpusCase.expect)) {
      t.equal(found.get(checkId), expected, `${name}, ${checkId}: ${details.get(checkId) ?? ''}`);
    }
    const noted = new Set<string>(report.notes.map(({ id }) => id));
    for (const label of corpusCase.notes ?? []) {
      t.equal(noted.has(label.replace('!', '')), !label.startsWith('!'), `${name}: note ${label}`);
    }
  }
});
