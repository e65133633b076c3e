import type { JSX } from 'preact';
import type { AutomaticRun } from '../../runs/manual-runs.js';
import { Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { TRIGGER_WORDS } from '../../runs/words.js';

/** When a site runs next by its schedule: a time in the past is a run that is queued. */
export function NextRun({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return isPast(at, now) ? <>due now</> : <Time at={at} now={now} />;
}

interface QueuedRunProps {
  readonly siteId: string;
  /** What is queued or running. */
  readonly queued: AutomaticRun | null;
  readonly now: Date;
}

/** A run that begins by itself: script keeps this part up to date, and loads the page when the run is there. */
export function QueuedRun({ siteId, queued, now }: QueuedRunProps): JSX.Element {
  return (
    <div id="next-run" data-pending={queued ? 'page' : undefined}>
      {queued && <Queued siteId={siteId} queued={queued} now={now} />}
    </div>
  );
}

function Queued({ siteId, queued, now }: Omit<QueuedRunProps, 'queued'> & { readonly queued: AutomaticRun }) {
  const { trigger, runAfter, isInHand } = queued;
  const words = `A run ${TRIGGER_WORDS[trigger]}`;
  return (
    <p class="note">
      {isInHand && `${words} is in progress.`}
      {!isInHand &&
        (isPast(runAfter, now) ? (
          `${words} is about to begin.`
        ) : (
          <>
            {words} begins <Time at={runAfter} now={now} />.
          </>
        ))}{' '}
      <a href={addressOf.site(siteId)}>Load this page again</a>
    </p>
  );
}

function isPast(at: string, now: Date): boolean {
  return Date.parse(at) <= now.getTime();
}
