import type { JSX } from 'preact';
import { type Plan, PLANS } from '../../accounts/plan.js';
import { FREQUENCIES, type Frequency, frequenciesOf } from '../schedule.js';
import type { Schedule } from '../schedules.js';
import { FieldNotes, notesOf } from '../../../web/kit/components/form.js';
import { Group } from '../../../web/kit/components/mast.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { capitalise } from '../../../web/kit/format.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { NextRun } from './next-run.js';

/** The choice of no schedule, alongside the frequencies. */
export const OFF = 'OFF';

const NAME = 'frequency';

export interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  readonly schedule: Schedule;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

/** How often the site runs automatically. */
export function ScheduleSection({ siteId, isVerified, schedule, errors, now }: ScheduleSectionProps): JSX.Element {
  const { frequency, effective, nextRunAt, choices } = schedule;
  const notes = {
    name: NAME,
    hint: 'Each site gets a fixed time within the hour, the day or the week, so that runs are spread evenly.',
    message: errors?.[NAME],
  };
  const meaning =
    effective !== null && nextRunAt !== null && isVerified ? (
      <>
        next: <NextRun at={nextRunAt} now={now} />
      </>
    ) : (
      'off'
    );
  const frequencies = Object.keys(FREQUENCIES) as Frequency[];
  return (
    <Group level="h2" title="By schedule" meaning={effective !== null && !isVerified ? 'once verified' : meaning}>
      {frequency !== null && effective !== null && effective !== frequency && (
        <p>
          You chose {FREQUENCIES[frequency].label}; your plan runs it {FREQUENCIES[effective].label}.
        </p>
      )}
      <form method="post" action={addressOf.schedule(siteId)}>
        <fieldset class="plain" aria-describedby={notesOf(notes)}>
          <legend class="hide">How often the site runs automatically</legend>
          <FieldNotes {...notes} />
          <Choice value={OFF} label="Off" isChosen={effective === null} id={NAME} />
          {frequencies.map((one) => (
            <Choice
              key={one}
              value={one}
              label={capitalise(FREQUENCIES[one].label)}
              isChosen={effective === one}
              plan={choices.includes(one) ? null : planWith(one)}
            />
          ))}
        </fieldset>
        {frequencies.length > choices.length && (
          <p class="hint">The operator of this service changes an account's plan.</p>
        )}
        <button type="submit">Save schedule</button>
      </form>
    </Group>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly id?: string;
  /** Which plan has it, where the account's has not. */
  readonly plan?: string | null;
}

function Choice({ value, label, isChosen, id, plan = null }: ChoiceProps): JSX.Element {
  return (
    <label class={plan === null ? 'choice' : 'choice off'}>
      <input type="radio" name={NAME} id={id} value={value} checked={isChosen} disabled={plan !== null} />
      {label}
      {plan !== null && <span class="soft small"> with the plan {plan}</span>}
    </label>
  );
}

function planWith(frequency: Frequency): string {
  const plans = Object.keys(PLANS) as Plan[];
  return plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? '';
}
