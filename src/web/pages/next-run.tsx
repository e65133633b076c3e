import type { JSX } from 'preact';
import type { AutomaticRun } from '../../app/runs/manual-runs.js';
import { Time } from '../html/text.js';
import { addressOf } from '../server/site-paths.js';
import { TRIGGER_WORDS } from '../../app/runs/run.js';

/** Time of the next scheduled run. A run is queued once its time has passed. */
export function NextRun({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return isPast(at, now) ? <>due now</> : <Time at={at} now={now} />;
}

interface QueuedRunProps {
  readonly siteId: string;
  readonly queued: AutomaticRun | null;
  readonly now: Date;
}

/** Notice of a queued run, by schedule or after a deployment. */
export function QueuedRun({ siteId, queued, now }: QueuedRunProps): JSX.Element | null {
  return queued && <Queued siteId={siteId} queued={queued} now={now} />;
}

function Queued({ siteId, queued, now }: Omit<QueuedRunProps, 'queued'> & { readonly queued: AutomaticRun }) {
  const { trigger, runAfter, isRunning } = queued;
  const words = `A run ${TRIGGER_WORDS[trigger]}`;
  return (
    <p class="note">
      {isRunning && `${words} is in progress.`}
      {!isRunning &&
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
