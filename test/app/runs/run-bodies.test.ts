import { createHash } from 'node:crypto';
import tap from 'tap';
import { packRun, unpackBody } from '../../../src/app/runs/run-bodies.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { findingFrom } from '../../support/reports.js';
import { readProject } from '../../support/project.js';

function responseWith(findings: RunResponse['findings']): RunResponse {
  const at = '2026-03-15T12:00:00.000Z';
  return {
    site: { id: 'site_a', hostname: 'shop.example.com' },
    run: { number: 1, reference: 'CR-000001', score: 50, trigger: 'API', startedAt: at, finishedAt: at },
    findings,
  };
}

/** In the order in which the scanner makes their fields: that of the contract. */
const OF_EVERY_CHECK = CHECKS.map((check): Finding => {
  const { checkId, pillar, scored, result, errorType, title, explanation, fix } = findingFrom(check, {
    result: 'FAIL',
  });
  const detail = `of "${checkId}": "title":"x","explanation":"y" 🙂 \u0001`;
  return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
});

/** How many bytes of a hundred a run may take whose details are all of one kind. */
const SHARE_MAX = 5;

function bodyOf(response: RunResponse): Buffer {
  return Buffer.from(JSON.stringify(response));
}

tap.test('a body is stored in a fraction of its bytes, and read byte for byte', async (t) => {
  const body = bodyOf(responseWith(OF_EVERY_CHECK));
  const packed = packRun(body);
  t.ok(packed.length * 100 < body.length * SHARE_MAX, `${packed.length} of ${body.length} bytes`);
  t.notMatch(packed.toString(), OF_EVERY_CHECK[0]?.explanation?.slice(0, 40));
  for (const about of ['read first', 'read again']) t.ok(unpackBody(packed).equals(body), about);
});

tap.test('a body that is damaged is refused', async (t) => {
  const packed = packRun(bodyOf(responseWith(OF_EVERY_CHECK)));
  const changed = Buffer.from(packed);
  changed[packed.length - 10] = (packed[packed.length - 10] ?? 0) ^ 1;
  for (const damaged of [
    packed.subarray(0, packed.length / 2),
    changed,
    Buffer.of(),
    Buffer.of(1),
    Buffer.of(1, 255),
  ]) {
    t.throws(() => unpackBody(damaged));
  }
  const other = Buffer.concat([Buffer.of(2), packed.subarray(1)]);
  t.throws(() => unpackBody(other), { message: 'a stored run has the unknown format 2' });
});

const SHA256 = '0e62f360b3d1aaf7874fb5856e992400ceda5156317f963b3c978c232923601d';
const STORED = 'ASi1L/1k0AZtAAAAAgC9Y2XpH1payAACzO7cZA==';

tap.test('stored runs can be read for as long as the dictionary stays as it is', async (t) => {
  const dictionary = readProject('src/app/runs/run-dictionary-1.txt');
  t.equal(createHash('sha256').update(dictionary).digest('hex'), SHA256);
  t.equal(unpackBody(Buffer.from(STORED, 'base64')).toString(), Buffer.from(dictionary).toString('utf8', 0, 2000));
});
