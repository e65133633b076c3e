import type { JSX } from 'preact';
import type { RunDay, RunTraffic } from '../../../app/runs/run-days.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { formatUtc } from '../../kit/format.js';
import { Mark } from '../../kit/components/icons.js';
import { Group, Mast } from '../../kit/components/mast.js';
import { PinRow } from '../../kit/components/pin-row.js';
import { OnePin } from '../../kit/components/pins.js';
import { Prose } from '../../kit/components/prose.js';
import type { Page } from '../../kit/page.js';
import {
  AGENTS_READ_ON,
  describeQueue,
  describeRuns,
  MONITORS,
  type Status,
  statusText,
  WITHOUT_SCORE,
} from './status.js';

export function statusPage(status: Status): Pick<Page, 'mast' | 'main'> {
  const { heading, lead } = statusText(status);
  const { isReady, traffic, version, now } = status;
  return {
    mast: <Mast title={heading} lead={lead} />,
    main: (
      <div class="w over-text">
        {traffic && <Runs traffic={traffic} />}
        <Group level="h2" title="Right now" meaning={formatUtc(now.toISOString())}>
          <ul class="items">
            <State isGood={isReady} words={isReady ? 'The database answers' : 'The service is not ready'} />
            {traffic && <State isGood words={describeQueue(traffic)} />}
          </ul>
        </Group>
        <Group level="h2" title="This build">
          <p>
            Version <b>{version}</b>. What it knows of agents was read on their vendors’ pages on{' '}
            <b>{AGENTS_READ_ON}</b> or later.
          </p>
          <Prose text={MONITORS} />
        </Group>
      </div>
    ),
  };
}

function State({ isGood, words }: { readonly isGood: boolean; readonly words: string }): JSX.Element {
  return (
    <li>
      <Mark result={isGood ? 'PASS' : 'FAIL'} />
      <span>{words}</span>
    </li>
  );
}

/** By day, from the runs that are stored: a day without a run says nothing of the service. */
function Runs({ traffic }: { readonly traffic: RunTraffic }): JSX.Element {
  const { days } = traffic;
  const busy = days.filter(({ finished }) => finished > 0);
  const incomplete = busy.filter(({ withoutScore }) => withoutScore > 0);
  return (
    <Group level="h2" title="Runs" meaning={`by day, ${days.length} days`}>
      <p>
        <b>{describeRuns(traffic)}.</b>
        {incomplete.length > 0 && <span class="soft"> {WITHOUT_SCORE}</span>}
      </p>
      <PinRow
        pins={days.map((day) => ({ key: day.day, state: stateOf(day), title: describeDay(day) }))}
        label={`${days.length} days: ${busy.length} with runs, ${incomplete.length} of them with a run that has no score`}
      />
      <p class="axis">
        <span>{days[0]?.day}</span>
        <span>today</span>
      </p>
      <p class="key">
        <span>
          <OnePin state="PASS" />
          each run has a score
        </span>
        <span>
          <OnePin state="UNDETERMINED" />
          some have none
        </span>
        <span>
          <OnePin state="NOT_APPLICABLE" />
          no runs
        </span>
      </p>
    </Group>
  );
}

function stateOf({ finished, withoutScore }: RunDay): Result {
  if (finished === 0) return 'NOT_APPLICABLE';
  return withoutScore > 0 ? 'UNDETERMINED' : 'PASS';
}

function describeDay({ day, finished, withoutScore }: RunDay): string {
  return `${day}: ${finished} finished, ${withoutScore} without a score`;
}
