import { siteChanged, type SiteChangedEvent } from '../alert-event.js';

/** A message of a change: one that the service could have made. */
export function sampleEvent(publicUrl: string): SiteChangedEvent {
  const at = '2026-03-15T12:00:00.000Z';
  return siteChanged(
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'www.example.com' },
      run: { number: 13, reference: 'CR-000013', score: 75, trigger: 'POST_DEPLOY', finishedAt: at },
    },
    {
      previousScore: 83,
      commit: '4f2a1c9',
      changes: [
        { kind: 'SCORE_FELL', from: 83, to: 75 },
        {
          ...{ kind: 'CHECK_FAILING', checkId: 'C-LLMS-01', title: 'llms.txt is published' },
          ...{ headline: 'There is no llms.txt', errorType: 'MISSING' },
        },
      ],
    },
    { publicUrl, now: new Date(at) },
  );
}
