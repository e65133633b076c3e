import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { ERROR_TYPES, RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { LoopbackTransport } from '../../support/fixture-server.js';
import { EXPECTED_FOLDER, expectedPath, formatGolden, formatTexts, scanFixture } from '../../support/golden.js';
import { TEXTS_PATH } from '../../support/golden.js';
import { scanOwnSites } from '../../support/own-scans.js';

const READ_AGAIN = 'run "make golden" and read the difference';

const findings: Finding[] = [];

t.test('each fixture site comes out as expected, replayed without a network', async (t) => {
  for (const { name: path, report, corpusCase } of await scanOwnSites()) {
    if (corpusCase) continue;
    const name = basename(path);
    findings.push(...report.findings);
    t.equal(formatGolden(report), readFileSync(expectedPath(name), 'utf8'), `${name}: ${READ_AGAIN}`);
  }
});

t.test('each comes out the same over real sockets', async (t) => {
  for (const { name, site } of FIXTURE_SITES) {
    const report = await scanFixture(site, await LoopbackTransport.open(site));
    t.equal(formatGolden(report), readFileSync(expectedPath(name), 'utf8'), name);
  }
});

t.test('no golden is left over', async (t) => {
  const names = readdirSync(EXPECTED_FOLDER).map((file) => basename(file, '.json'));
  t.same(names.sort(), FIXTURE_SITES.map(({ name }) => name).sort());
});

t.test('the texts of the checks are as expected', async (t) => {
  t.equal(formatTexts(), readFileSync(TEXTS_PATH, 'utf8'), READ_AGAIN);
});

t.test('every error type and every result occurs', async (t) => {
  const errorTypes = new Set(findings.flatMap(({ errorType }) => errorType ?? []));
  t.same([...errorTypes].sort(), Object.keys(ERROR_TYPES).sort());
  t.same([...new Set(findings.map(({ result }) => result))].sort(), Object.keys(RESULTS).sort());
});
