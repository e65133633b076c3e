import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { ERROR_TYPES, RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import {
  expectedPath,
  EXPECTED_FOLDER,
  formatGolden,
  formatTexts,
  scanFixture,
  TEXTS_PATH,
} from '../../support/golden.js';
import { LoopbackTransport } from '../../support/fixture-server.js';
import { scanOwnSites } from '../../support/own-scans.js';

const READ_AGAIN = 'run "make golden" and read the difference';

const findings = new Map<string, readonly Finding[]>();

t.test('each fixture site comes out as expected, replayed without a network', async (t) => {
  for (const { name: path, report, corpusCase } of await scanOwnSites()) {
    if (corpusCase) continue;
    const name = basename(path);
    findings.set(name, report.findings);
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

t.test('every error type and every result occurs, and each check fails only as it declares', async (t) => {
  const all = [...findings.values()].flat();
  const declared = new Map<string, readonly string[]>(CHECKS.map((check: Check) => [check.id, check.errorTypes]));
  for (const { checkId, errorType } of all) {
    if (errorType) t.ok(declared.get(checkId)?.includes(errorType), `${checkId} declares ${errorType}`);
  }
  const occurring = (pick: (finding: Finding) => string | null) =>
    new Set(all.map(pick).filter((value) => value !== null));
  t.same([...occurring(({ errorType }) => errorType)].sort(), Object.keys(ERROR_TYPES).sort());
  t.same([...occurring(({ result }) => result)].sort(), Object.keys(RESULTS).sort());
});

t.test('a detail says in words where it is, not in the scanner’s own positions', async (t) => {
  const places = /\bsamples? \d|\bnodes?\b|\bpointer\b|\bhome link\b|\bbars these agents\b/;
  for (const [name, list] of findings) {
    for (const { checkId, detail } of list) t.notMatch(detail ?? '', places, `${name} ${checkId}`);
  }
});
