import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { scoreOf } from '../../../scanner/report/score.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { siteChanged, type SiteChangedEvent, withPins } from '../alert-event.js';

/** Of a site on which all was well until its llms.txt was lost, and with it what the checks after the first read there. */
const LOST: Readonly<Record<string, Result>> = {
  'C-LLMS-01': 'FAIL',
  'C-LLMS-02': 'NOT_APPLICABLE',
  'C-LLMS-03': 'NOT_APPLICABLE',
  'C-LLMS-04': 'NOT_APPLICABLE',
};
const FINDINGS = WAITING_PINS.flatMap(({ pins }) =>
  pins.map(({ checkId, scored }) => ({ checkId, scored, result: LOST[checkId] ?? ('PASS' as const) })),
);
const BEFORE = 100;

/** A message of a change as programs get it: one that the service could have made. */
export function sampleEvent(publicUrl: string): SiteChangedEvent {
  const at = '2026-03-15T12:00:00.000Z';
  const score = scoreOf(FINDINGS) ?? 0;
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
        {
          ...{ kind: 'CHECK_FAILING', checkId: 'C-LLMS-01', title: 'llms.txt is published' },
          ...{ headline: 'There is no llms.txt', errorType: 'MISSING' },
        },
      ],
    },
    { publicUrl, now: new Date(at) },
  );
}

/** The same as people get it: with the pins of the run. */
export function sampleForPeople(publicUrl: string): SiteChangedEvent {
  return withPins(sampleEvent(publicUrl), FINDINGS);
}
