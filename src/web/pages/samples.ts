import { headlineOf, titleOf } from '../../scanner/report/failures.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { siteChanged, type SiteChangedEvent } from '../../app/alerts/messages.js';

/** The results of a site that lost its llms.txt; the other checks pass. */
const LOST: Readonly<Record<string, Result>> = {
  'C-LLMS-01': 'FAIL',
  'C-LLMS-02': 'NOT_APPLICABLE',
  'C-LLMS-03': 'NOT_APPLICABLE',
  'C-LLMS-04': 'NOT_APPLICABLE',
};
const LOST_CHECK = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;
const BEFORE = 100;

/** A message that the service could have sent. */
export function sampleEvent(publicUrl: string): SiteChangedEvent {
  const at = '2026-03-15T12:00:00.000Z';
  const checks = WAITING_PINS.flatMap(({ pins }) => pins);
  const score = scoreOf(checks.map(({ checkId, scored }) => ({ scored, result: LOST[checkId] ?? 'PASS' }))) ?? 0;
  const headline = headlineOf(LOST_CHECK);
  return siteChanged(
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'www.example.com' },
      run: { number: 13, reference: 'CR-000013', score, trigger: 'POST_DEPLOY', finishedAt: at },
    },
    {
      previousScore: BEFORE,
      commit: '4f2a1c9',
      changes: [
        { kind: 'SCORE_FELL', from: BEFORE, to: score },
        { kind: 'CHECK_FAILING', ...LOST_CHECK, headline },
      ],
    },
    { publicUrl, now: new Date(at) },
  );
}
