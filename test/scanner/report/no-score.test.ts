import t from 'tap';
import type { HomePageFailure } from '../../../src/scanner/artifacts/evidence.js';
import { describeBriefly, metricLabel } from '../../../src/scanner/report/no-score.js';

t.test('why the home page could not be read, in few words and as a label', async (t) => {
  const cases: readonly (readonly [gap: HomePageFailure, brief: RegExp, label: string])[] = [
    ['challenge', /\bchallenge$/, 'challenge'],
    [{ status: 503 }, /\b503$/, 'status_5xx'],
    [{ status: 429 }, /\b429$/, 'status_4xx'],
    [{ failure: 'stalled' }, /\bresponse\b/, 'stalled'],
    [{ failure: 'tls_expired' }, /\bcertificate\b/, 'tls_expired'],
    [{ failure: 'name_not_found' }, /\bhost name\b/, 'name_not_found'],
    [{ failure: 'no_resources' }, /\bconnections\b/, 'no_resources'],
  ];
  for (const [gap, brief, label] of cases) {
    t.match(describeBriefly(gap), brief, label);
    t.equal(metricLabel(gap), label);
  }
});
