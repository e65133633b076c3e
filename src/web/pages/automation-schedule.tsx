import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { FREQUENCIES, frequenciesOf, type Frequency, planWith } from '../../app/automation/schedule.js';
import type { Plan } from '../../app/accounts/plan.js';
import type { Schedule } from '../../app/automation/schedules.js';
import { Form } from '../html/form.js';
import { capitalise, Moment, Now, Time } from '../html/text.js';
import { Group } from '../html/sections.js';
import type { FieldErrors } from '../server/page.js';
import { addressOf, OPERATOR_PATH } from '../server/paths.js';

export const FREQUENCY_FIELD = 'frequency';

/** Value of the choice that turns the schedule off. */
export const OFF = 'OFF';

interface ScheduleSectionProps {
  readonly siteId: string;
  readonly isVerified: boolean;
  /** Null if it is off. */
  readonly schedule: Schedule | null;
  readonly plan: Plan;
  readonly errors: FieldErrors | null;
}

export function ScheduleSection({ siteId, isVerified, schedule, plan, errors }: ScheduleSectionProps): JSX.Element {
  const choices = frequenciesOf(plan);
  const beyond = (Object.keys(FREQUENCIES) as Frequency[]).filter((one) => !choices.includes(one));
  return (
    <Group title="By schedule" meaning={<NextTime {...{ isVerified, schedule }} />} id="schedule">
      <Form
        action={addressOf.schedule(siteId)}
        errors={errors}
        fields={[
          {
            name: FREQUENCY_FIELD,
            label: 'How often to scan this site',
            hint: beyond.length > 0 && <MoreOften frequencies={beyond} />,
            // After a refusal as well, since the plan does not allow what was refused.
            value: schedule?.frequency ?? OFF,
            options: [[OFF, 'Off'], ...choices.map((one) => [one, capitalise(FREQUENCIES[one].label)] as const)],
          },
        ]}
        button="Save schedule"
        isQuiet={!isVerified}
      />
      <p class="small soft more">
        To get a message when a run finds a change, <a href="/alerts">set up alerts</a>.
      </p>
    </Group>
  );
}

/** Names the plans that run a site more often. */
function MoreOften({ frequencies }: { readonly frequencies: readonly Frequency[] }): JSX.Element {
  return (
    <>
      {frequencies.map((one, index) => (
        <>
          {index > 0 && ', '}
          {capitalise(FREQUENCIES[one].label)} with <a href={OPERATOR_PATH}>plan {planWith(one)}</a>
        </>
      ))}
    </>
  );
}

function NextTime({ isVerified, schedule }: Pick<ScheduleSectionProps, 'isVerified' | 'schedule'>) {
  const now = useContext(Now);
  if (schedule === null) return <>off</>;
  if (!isVerified) return <>once verified</>;
  const { nextRunAt } = schedule;
  // A run is queued once its time has passed.
  if (Date.parse(nextRunAt) <= now.getTime()) return <>next: due now</>;
  return (
    <span>
      next: <Time at={nextRunAt} />, <Moment at={nextRunAt} /> UTC
    </span>
  );
}
