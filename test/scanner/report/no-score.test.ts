import t from 'tap';
import type { HomePageFailure } from '../../../src/scanner/artifacts/evidence.js';
import { describeHomePageFailure } from '../../../src/scanner/report/no-score.js';

t.test('a failed home page is described in few words', async (t) => {
  const cases: readonly (readonly [gap: HomePageFailure, brief: RegExp])[] = [
    ['challenge', /\bchallenge$/],
    [{ status: 503 }, /\b503$/],
    [{ status: 429 }, /\b429$/],
    [{ failure: 'stalled' }, /\bresponse\b/],
    [{ failure: 'tls_expired' }, /\bcertificate\b/],
    [{ failure: 'name_not_found' }, /\bhost name\b/],
    [{ failure: 'no_resources' }, /\bconnections\b/],
  ];
  for (const [gap, brief] of cases) t.match(describeHomePageFailure(gap), brief);
});
