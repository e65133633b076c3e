import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { siteChanged, type SiteChangedEvent, withPins } from '../alert-event.js';

/** A message of a change as programs get it: one that the service could have made. */
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

/** The same as people get it: with the pins of a run in which that check alone fails. */
export function sampleForPeople(publicUrl: string): SiteChangedEvent {
  const event = sampleEvent(publicUrl);
  const failing = event.data.changes.flatMap((change) => (change.kind === 'CHECK_FAILING' ? [change.checkId] : []));
  const checkIds = WAITING_PINS.flatMap(({ pins }) => pins.map(({ checkId }) => checkId));
  return withPins(
    event,
    checkIds.map((checkId) => ({ checkId, result: failing.includes(checkId) ? 'FAIL' : 'PASS' })),
  );
}
