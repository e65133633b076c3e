import type { JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { FREQUENCIES, type Frequency, nextScheduledTime, planWith } from '../../app/automation/schedule.js';
import type { Schedule } from '../../app/automation/schedules.js';
import { FieldNotes, notesOf } from '../html/form.js';
import { Group } from '../html/page-header.js';
import type { FieldErrors } from '../server/form.js';
import { capitalise, formatTime } from '../html/format.js';
import { OPERATOR_PATH } from '../server/public-pages.js';
import { addressOf } from '../server/site-paths.js';
import type { AutomaticRun } from '../../app/runs/queued-runs.js';
import { Time } from '../html/text.js';
import { TRIGGER_WORDS } from '../../app/runs/run.js';

/** Value of the choice that turns the schedule off. */
export const OFF = 'OFF';

const NAME = 'frequency';

interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  readonly schedule: Schedule;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

export function ScheduleSection(props: ScheduleSectionProps): JSX.Element {
  const { siteId, isVerified, schedule, errors, now } = props;
  const { frequency, effective, nextRunAt, choices } = schedule;
  // After a refusal as well, since the plan does not allow the refused frequency.
  const chosen = effective ?? OFF;
  const refusal = errors?.[NAME];
  const isRefused = refusal !== undefined;
  const notes = { name: NAME, message: refusal && `${refusal} ${describeCurrent(effective)}` };
  const meaning =
    effective !== null && nextRunAt !== null && isVerified ? (
      <span>
        next: <NextRun at={nextRunAt} now={now} />
      </span>
    ) : (
      'off'
    );
  const frequencies = Object.keys(FREQUENCIES) as Frequency[];
  return (
    <Group title="By schedule" meaning={effective !== null && !isVerified ? 'once verified' : meaning} id="schedule">
      {frequency !== null && effective !== null && effective !== frequency && (
        <p>
          You chose {FREQUENCIES[frequency].label}; your plan runs it {FREQUENCIES[effective].label}.
        </p>
      )}
      <form method="post" action={addressOf.schedule(siteId)}>
        <fieldset class="plain" aria-describedby={notesOf(notes)}>
          <legend class="hide">How often the site runs automatically</legend>
          <FieldNotes {...notes} />
          <Choice {...{ isRefused }} value={OFF} label="Off" isChosen={chosen === OFF} />
          {frequencies.map((one) => (
            <Choice
              key={one}
              value={one}
              label={capitalise(FREQUENCIES[one].label)}
              isChosen={chosen === one}
              isRefused={isRefused}
              time={timeOf(siteId, one, now)}
              plan={choices.includes(one) ? null : planWith(one)}
            />
          ))}
        </fieldset>
        <button type="submit" class={isVerified ? undefined : 'quiet'}>
          Save schedule
        </button>
      </form>
    </Group>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly isChosen: boolean;
  /** True if another choice was refused; the current one then has the focus. */
  readonly isRefused: boolean;
  /** When the site runs in each period. */
  readonly time?: string;
  /** The plan that this choice needs; null if the account's plan allows it. */
  readonly plan?: string | null;
}

function Choice({ value, label, isChosen, isRefused, time, plan = null }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <input
        type="radio"
        name={NAME}
        value={value}
        checked={isChosen}
        disabled={plan !== null}
        autofocus={isChosen && isRefused}
      />
      {label}
      {plan === null ? (
        time !== undefined && <span class="soft small"> {time}</span>
      ) : (
        <span class="soft small">
          {' '}
          with <a href={OPERATOR_PATH}>plan {plan}</a>
        </span>
      )}
    </label>
  );
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

function describeCurrent(effective: Frequency | null): string {
  return effective === null ? 'The schedule stays off.' : `It runs ${FREQUENCIES[effective].label}, as before.`;
}

/** The fixed time of the site within the period: `Mondays, 06:12 UTC`. */
function timeOf(siteId: string, frequency: Frequency, now: Date): string {
  const next = nextScheduledTime(siteId, frequency, now);
  const time = formatTime(next.toISOString());
  if (frequency === 'HOURLY') return `${countOf(next.getUTCMinutes(), 'minute')} past the hour`;
  return frequency === 'DAILY' ? `${time} UTC` : `${WEEKDAYS[next.getUTCDay()] ?? ''}, ${time} UTC`;
}

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
