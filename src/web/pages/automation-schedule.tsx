import type { JSX } from 'preact';
import {
  FREQUENCIES,
  frequenciesOf,
  type Frequency,
  nextScheduledTime,
  planWith,
} from '../../app/automation/schedule.js';
import type { Plan } from '../../app/accounts/plan.js';
import type { Schedule } from '../../app/automation/schedules.js';
import type { AutomaticRun } from '../../app/runs/queued-runs.js';
import { TRIGGER_WORDS } from '../../app/runs/run.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { FieldNotes, notesOf } from '../html/form.js';
import { capitalise, formatTime } from '../html/format.js';
import { Group } from '../html/page-header.js';
import { Time } from '../html/text.js';
import type { FieldErrors } from '../server/form.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { addressOf } from '../server/site-paths.js';

/** Value of the choice that turns the schedule off. */
export const OFF = 'OFF';

const NAME = 'frequency';

interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  readonly schedule: Schedule;
  readonly plan: Plan;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

export function ScheduleSection({
  siteId,
  isVerified,
  schedule,
  plan,
  errors,
  now,
}: ScheduleSectionProps): JSX.Element {
  const { frequency } = schedule;
  const refusal = errors?.[NAME];
  const current = frequency === null ? 'The schedule stays off.' : `It runs ${labelOf(frequency)}, as before.`;
  const notes = { name: NAME, message: refusal && `${refusal} ${current}` };
  return (
    <Group title="By schedule" meaning={<NextTime {...{ isVerified, schedule, now }} />} id="schedule">
      <form method="post" action={addressOf.schedule(siteId)}>
        <fieldset class="plain" aria-describedby={notesOf(notes)}>
          <legend class="hide">How often the site runs automatically</legend>
          <FieldNotes {...notes} />
          {([OFF, ...Object.keys(FREQUENCIES)] as (Frequency | typeof OFF)[]).map((value) => {
            // After a refusal as well, since the plan does not allow the refused frequency.
            const isChosen = (frequency ?? OFF) === value;
            const isAllowed = value === OFF || frequenciesOf(plan).includes(value);
            return (
              <label key={value} class="choice">
                <input
                  type="radio"
                  name={NAME}
                  value={value}
                  checked={isChosen}
                  disabled={!isAllowed}
                  autofocus={isChosen && refusal !== undefined}
                />
                {value === OFF ? 'Off' : capitalise(labelOf(value))}
                <span class="soft small">
                  {' '}
                  {isAllowed ? (
                    value !== OFF && timeOf(siteId, value, now)
                  ) : (
                    <>
                      with <a href={OPERATOR_PATH}>plan {planWith(value)}</a>
                    </>
                  )}
                </span>
              </label>
            );
          })}
        </fieldset>
        <button type="submit" class={isVerified ? undefined : 'quiet'}>
          Save schedule
        </button>
      </form>
    </Group>
  );
}

function labelOf(frequency: Frequency): string {
  return FREQUENCIES[frequency].label;
}

function NextTime({ isVerified, schedule, now }: Pick<ScheduleSectionProps, 'isVerified' | 'schedule' | 'now'>) {
  const { frequency, nextRunAt } = schedule;
  if (frequency === null) return <>off</>;
  if (!isVerified || nextRunAt === null) return <>once verified</>;
  return (
    <span>
      next: <NextRun at={nextRunAt} now={now} />
    </span>
  );
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/** The fixed time of the site within the period: `Mondays, 06:12 UTC`. */
function timeOf(siteId: string, frequency: Frequency, now: Date): string {
  const next = nextScheduledTime(siteId, frequency, now);
  if (frequency === 'HOURLY') return `${countOf(next.getUTCMinutes(), 'minute')} past the hour`;
  const time = `${formatTime(next.toISOString())} UTC`;
  return frequency === 'DAILY' ? time : `${WEEKDAYS[next.getUTCDay()] ?? ''}, ${time}`;
}

interface NextRunProps {
  readonly at: string;
  readonly now: Date;
}

/** Time of the next scheduled run. A run is queued once its time has passed. */
export function NextRun({ at, now }: NextRunProps): JSX.Element {
  return isPast(at, now) ? <>due now</> : <Time at={at} now={now} />;
}

interface QueuedRunProps {
  readonly siteId: string;
  readonly queued: AutomaticRun | null;
  readonly now: Date;
}

/** Notice of a queued run, by schedule or after a deployment. */
export function QueuedRun({ siteId, queued, now }: QueuedRunProps): JSX.Element | null {
  if (queued === null) return null;
  const { trigger, runAfter, isRunning } = queued;
  const begins = isPast(runAfter, now) ? (
    'is about to begin'
  ) : (
    <>
      begins <Time at={runAfter} now={now} />
    </>
  );
  return (
    <p class="note">
      A run {TRIGGER_WORDS[trigger]} {isRunning ? 'is in progress' : begins}.{' '}
      <a href={addressOf.site(siteId)}>Load this page again</a>
    </p>
  );
}

function isPast(at: string, now: Date): boolean {
  return Date.parse(at) <= now.getTime();
}
