import type { JSX } from 'preact';
import { FREQUENCIES } from '../../domain/schedule.js';
import type { Schedule } from '../../service/automation/schedules.js';
import { Time } from '../components/text.js';
import { addressOf } from './addresses.js';

/** When a schedule has its site run next: a time that has come is a run that waits for its turn. */
export function NextRun({ at, now }: { readonly at: string; readonly now: Date }): JSX.Element {
  return Date.parse(at) <= now.getTime() ? <>due now</> : <Time at={at} now={now} />;
}

interface NextRunLineProps {
  readonly siteId: string;
  readonly schedule: Schedule;
  readonly now: Date;
}

/** The same on the page of a verified site, with the way to all that a site does by itself. */
export function NextRunLine({ siteId, schedule, now }: NextRunLineProps): JSX.Element {
  const { effective, nextRunAt } = schedule;
  const link = <a href={addressOf.automation(siteId)}>Schedule, deploy hook and badge</a>;
  if (effective === null || nextRunAt === null) return <p>No schedule: it runs when it is told to. {link}</p>;
  return (
    <p>
      Next run: <NextRun at={nextRunAt} now={now} />, {FREQUENCIES[effective].label}. {link}
    </p>
  );
}
