import type { JSX } from 'preact';
import { type Plan, PLANS } from '../../accounts/plan.js';
import { FREQUENCIES, type Frequency, frequenciesOf } from '../schedule.js';
import type { Schedule } from '../schedules.js';
import { Radios } from '../../../web/kit/components/radios.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { NextRun } from './next-run.js';

/** The choice of no schedule, alongside the frequencies. */
export const OFF = 'OFF';

export interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  readonly schedule: Schedule;
  readonly errors: FieldErrors | null;
  readonly now: Date;
}

/** How often the site runs automatically. */
export function ScheduleSection({ siteId, isVerified, schedule, errors, now }: ScheduleSectionProps): JSX.Element {
  const { effective, choices } = schedule;
  const options = [
    { value: OFF, label: 'Off' },
    ...choices.map((frequency) => ({ value: frequency, label: capitalise(FREQUENCIES[frequency].label) })),
  ];
  return (
    <section>
      <h2>Schedule</h2>
      {isVerified && <Next schedule={schedule} now={now} />}
      <form method="post" action={addressOf.schedule(siteId)}>
        <Radios
          name="frequency"
          legend="How often the site runs automatically"
          hint="Each site gets a fixed time within the hour, the day or the week, so that runs are spread evenly."
          options={options}
          value={effective ?? OFF}
          errors={errors}
        />
        <HigherPlans choices={choices} />
        <button type="submit">Save schedule</button>
      </form>
    </section>
  );
}

function Next({ schedule, now }: Pick<ScheduleSectionProps, 'schedule' | 'now'>): JSX.Element {
  const { frequency, effective, nextRunAt } = schedule;
  if (frequency === null || effective === null || nextRunAt === null) return <p>The site has no schedule.</p>;
  return (
    <p>
      Next run: <NextRun at={nextRunAt} now={now} />, {FREQUENCIES[effective].label}.
      {effective !== frequency &&
        ` You chose ${FREQUENCIES[frequency].label}; your plan runs it ${FREQUENCIES[effective].label}.`}
    </p>
  );
}

/** What the account's plan does not have, and which one has it. */
function HigherPlans({ choices }: { readonly choices: readonly Frequency[] }): JSX.Element | null {
  const others = (Object.keys(FREQUENCIES) as Frequency[]).filter((frequency) => !choices.includes(frequency));
  if (others.length === 0) return null;
  const words = others.map(
    (frequency) => `${capitalise(FREQUENCIES[frequency].label)} comes with ${planWith(frequency)}.`,
  );
  return <p class="soft">{words.join(' ')} The operator of this service changes an account's plan.</p>;
}

function planWith(frequency: Frequency): string {
  const plans = Object.keys(PLANS) as Plan[];
  return `the plan ${plans.find((plan) => frequenciesOf(plan).includes(frequency)) ?? ''}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
