/**
 * `make dictionary`: rewrites the dictionary of stored runs from today's texts, and prints what its test expects. Never after a release:
 * stored runs are read with it.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { scanFixture } from '../support/golden.js';
import { PROJECT } from '../support/project.js';

const at = '2026-12-01T00:00:00.000Z';
const best = await scanFixture(perfect);
const reports = await Promise.all(FIXTURE_SITES.map(({ site }) => scanFixture(site)));

const fixes = CHECKS.flatMap(namedFailures).map(({ fix }) => `,"fix":${JSON.stringify(fix)}},`);
const details = reports.flatMap(({ findings }) =>
  findings.map(
    ({ result, errorType, detail }) => `${JSON.stringify({ result, errorType, detail }).slice(1, -1)},"title":"`,
  ),
);
const notes = reports.flatMap((report) => report.notes.map((note) => JSON.stringify(note)));
const gains = CHECKS.flatMap(({ id: checkId }) =>
  [false, true].map((isAtLeast) => `${JSON.stringify({ checkId, points: 7, isAtLeast })},`),
);
const run = {
  ...{ number: 1, reference: 'CR-000001', score: 100, trigger: 'SCHEDULED', startedAt: at, finishedAt: at },
};

// What occurs in most runs comes last, where it is cheapest to refer to.
const lines = new Set([
  ...fixes,
  ...details,
  ...notes,
  ...gains,
  JSON.stringify(best.answer),
  `"fix":null}]}`,
  `{"notes":[],"gains":[`,
  ...best.findings.map((finding) => `${JSON.stringify(finding)},`),
  `"},"run":${JSON.stringify(run)},"findings":[{"checkId":"C-LLMS-01","pillar":"A","scored":true,"result":"`,
  `{"site":{"id":"site_","hostname":"www.`,
]);
const dictionary = Buffer.from([...lines].join('\n'));
writeFileSync(join(PROJECT, 'src/app/runs/run-dictionary-1.txt'), dictionary);

const params = { [constants.ZSTD_c_checksumFlag]: 1 };
const sample = zstdCompressSync(dictionary.subarray(0, 2000), { dictionary, params });
console.log(`${dictionary.length} bytes\nSHA-256: ${createHash('sha256').update(dictionary).digest('hex')}`);
console.log(`Stored: ${Buffer.concat([Buffer.of(1), sample]).toString('base64')}`);
