import t from 'tap';
import { FETCH_FAILURES } from '../../../src/net/failure.js';
import { briefCause, openReason } from '../../../src/scanner/report/no-score.js';
import { describeFailure } from '../../../src/scanner/artifacts/resource.js';

const open = (detail: string | null) => ({ result: 'UNDETERMINED', detail }) as const;

t.test('the cause of a run without a score, in the fewest words', async (t) => {
  const { stalled, tls_expired, name_not_found } = FETCH_FAILURES;
  const cases: readonly (readonly [detail: string, brief: RegExp | null])[] = [
    ['The home page answers this scanner with status 503. Fix it.', /\b503$/],
    ['The home page answers this scanner with a bot challenge from Cloudflare.', /\bchallenge$/],
    [`The home page cannot be read: ${stalled}.`, /\bno answer\b/],
    [`The home page cannot be read: ${tls_expired}. Install a certificate.`, /\bcertificate\b/],
    [`The home page cannot be read: ${name_not_found}.`, /\bhost name\b/],
    ['Something else.', null],
  ];
  for (const [detail, brief] of cases) t.match(briefCause([open(detail), open(detail)]), brief, detail);
  t.equal(briefCause([open('status 503'), open('status 502'), open(null)]), null, 'where they do not agree');
  t.equal(describeFailure('stalled').text, stalled, 'findings say it in these words');
});

t.test('the reason of an open check, in a word that no site chooses', async (t) => {
  for (const [name, phrase] of Object.entries(FETCH_FAILURES))
    t.equal(openReason(`It cannot be read: ${phrase}.`), name);
  t.equal(openReason('The home page answers this scanner with status 429.'), 'status_4xx');
  t.equal(openReason('The home page answers this scanner with status 503.'), 'status_5xx');
  t.equal(openReason('The home page answers this scanner with a bot challenge from Cloudflare.'), 'challenge');
  for (const detail of [null, 'Too few links gave a clear answer.']) t.equal(openReason(detail), 'other');
});
