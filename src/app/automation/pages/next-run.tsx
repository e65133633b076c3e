import type { JSX } from 'preact';
import { FREQUENCIES } from '../schedule.js';
import type { AutomaticRun } from '../../runs/manual-runs.js';
import type { Schedule } from '../schedules.js';
import { Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { TRIGGER_WORDS } from '../../runs/words.js';

/** When a site runs next by its schedule: a time in the past is a run that is queued. */
export function NextRun({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return isPast(at, now) ? <>due now</> : <Time at={at} now={now} />;
}

interface NextRunLineProps {
  readonly siteId: string;
  readonly schedule: Schedule;
  /** What is queued or running. */
  readonly queued: AutomaticRun | null;
  readonly now: Date;
}

/**
 * The same on the page of a verified site, with a link to everything automatic. While a run is queued or running, script
 * keeps this part up to date, and loads the page when the run is there.
 */
export function NextRunLine({ siteId, schedule, queued, now }: NextRunLineProps): JSX.Element {
  const { effective, nextRunAt } = schedule;
  return (
    <div id="next-run" data-pending={queued ? 'page' : undefined}>
      {queued && <Queued siteId={siteId} queued={queued} now={now} />}
      <p>
        {effective === null || nextRunAt === null ? (
          'No schedule: it runs only when started.'
        ) : (
          <>
            Next by schedule: <NextRun at={nextRunAt} now={now} />, {FREQUENCIES[effective].label}.
          </>
        )}{' '}
        <a href={addressOf.automation(siteId)}>Automatic runs and badge</a>
      </p>
    </div>
  );
}

function Queued({ siteId, queued, now }: Pick<NextRunLineProps, 'siteId' | 'now'> & { readonly queued: AutomaticRun }) {
  const { trigger, runAfter, isInHand } = queued;
  const words = `A run ${TRIGGER_WORDS[trigger]}`;
  return (
    <p>
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
