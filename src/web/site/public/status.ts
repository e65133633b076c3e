import { AGENTS } from '../../../scanner/artifacts/agents/agents.js';
import { assertReady } from '../../../platform/readiness.js';
import { countOf } from '../../../platform/counts.js';
import type { RunTraffic } from '../../../app/runs/run-days.js';
import type { SiteDeps } from '../deps.js';
import { formatDay, formatTime } from '../../kit/format.js';
import type { PageText } from './page-text.js';

/** What the public learns of the service's state: nothing of what is behind it. */
export interface Status {
  readonly isReady: boolean;
  readonly version: string;
  readonly now: Date;
  /** Null while it is unknown. */
  readonly traffic: RunTraffic | null;
}

/** Why the service is not ready is told to no visitor. */
export async function readStatus({ readiness, lifecycle, version, clock, runDays }: SiteDeps): Promise<Status> {
  const isReady = await assertReady(readiness, lifecycle).then(
    () => true,
    () => false,
  );
  const traffic = isReady ? await runDays.read().catch(() => null) : null;
  return { isReady, version, now: clock.now(), traffic };
}

/** The day on which the first of the agents' own pages was read: what is known of the others is newer. */
export const AGENTS_READ_ON = AGENTS.map(({ seenOn }) => seenOn).sort()[0] ?? '';

/** `142 runs finished, 3 of them without a score` */
export function describeRuns(days: RunTraffic['days']): string {
  const finished = days.reduce((sum, day) => sum + day.finished, 0);
  const withoutScore = days.reduce((sum, day) => sum + day.withoutScore, 0);
  if (finished === 0) return 'No run has finished';
  return `${countOf(finished, 'run')} finished, ${withoutScore === 0 ? 'each with a score' : `${withoutScore} of them without a score`}`;
}

/** `2 runs wait, 1 is under way` */
export function describeQueue({ waiting, running }: RunTraffic): string {
  if (waiting + running === 0) return 'Nothing queued';
  return `${waiting === 1 ? '1 run waits' : `${waiting} runs wait`}, ${running} ${running === 1 ? 'is' : 'are'} under way`;
}

export function describeAlerts({ alerts }: RunTraffic): string {
  if (alerts === 0) return 'Nothing queued';
  return alerts === 1 ? '1 message waits' : `${alerts} messages wait`;
}

/** `24 Nov, 14:39 UTC` */
export function formatNow(now: Date): string {
  const at = now.toISOString();
  return `${formatDay(at, at)}, ${formatTime(at)} UTC`;
}

export const WITHOUT_SCORE = 'A run has no score where its site did not answer, or refused the scanner.';

export function statusText({ isReady, version, now, traffic }: Status): PageText {
  const runs =
    traffic === null
      ? []
      : [
          `${describeRuns(traffic.days)} in the last ${traffic.days.length} days`,
          describeQueue(traffic),
          `Alerts: ${describeAlerts(traffic).toLowerCase()}`,
        ];
  const lines = [
    ...runs,
    `Version: ${version}`,
    `Agents’ own pages read: ${AGENTS_READ_ON} or later`,
    `Checked: ${formatNow(now)}`,
  ];
  return {
    heading: isReady ? 'The service is ready' : 'The service is not ready',
    lead: isReady
      ? 'Scans, runs and sign-in work.'
      : 'Scans, runs and sign-in may fail right now. Nothing that is stored is lost. Try again in a few minutes.',
    body: `
${lines.map((line) => `- ${line}`).join('\n')}

${MONITORS}
`,
  };
}

/** Markdown. */
export const MONITORS =
  'Monitors can ask [/readyz](/readyz): it answers 200 when the service is ready, and 503 when it is not.';
