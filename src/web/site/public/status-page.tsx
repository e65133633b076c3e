import type { JSX } from 'preact';
import type { RunDay, RunTraffic } from '../../../app/runs/run-days.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { formatDay } from '../../kit/format.js';
import { Mark } from '../../kit/components/icons.js';
import { Group, Mast } from '../../kit/components/mast.js';
import { PER_ROW, PinRow } from '../../kit/components/pin-row.js';
import { Key } from '../../kit/components/pins.js';
import { Prose } from '../../kit/components/prose.js';
import { Facts, RailPart, Two } from '../../kit/components/two.js';
import type { Page } from '../../kit/page.js';
import {
  AGENTS_READ_ON,
  describeAlerts,
  describeQueue,
  describeRuns,
  formatNow,
  MONITORS,
  type Status,
  statusText,
  WITHOUT_SCORE,
} from './status.js';

export function statusPage(status: Status): Pick<Page, 'mast' | 'main'> {
  const { heading, lead } = statusText(status);
  const { traffic, version, now } = status;
  return {
    mast: <Mast title={heading} lead={lead} />,
    main: (
      <Two rail={<Build version={version} now={now} />}>
        <Parts status={status} />
        {traffic && <Runs traffic={traffic} now={now} />}
      </Two>
    ),
  };
}

function Build({ version, now }: Pick<Status, 'version' | 'now'>): JSX.Element {
  return (
    <>
      <RailPart title="This build">
        <Facts
          facts={[
            ['Version', version],
            ['Agents’ own pages read', `from ${formatDay(AGENTS_READ_ON, now.toISOString())} on`],
          ]}
        />
      </RailPart>
      <RailPart title="For monitors">
        <div class="small soft">
          <Prose text={MONITORS} />
        </div>
      </RailPart>
    </>
  );
}

/** What somebody may wonder about, one at a time. */
function Parts({ status: { isReady, traffic, now } }: { readonly status: Status }): JSX.Element {
  return (
    <Group title="Right now" meaning={formatNow(now)}>
      <ul class="items">
        <Part isGood={isReady} name="Sign-in and pages" state={isReady ? 'Working' : 'May fail'} />
        <Part isGood={isReady} name="Free scans" state={isReady ? 'Working' : 'May fail'} />
        <Part isGood={isReady} name="Runs" state={traffic ? describeQueue(traffic) : 'Not known'} />
        <Part isGood={isReady} name="Alerts" state={traffic ? describeAlerts(traffic) : 'Not known'} />
        <Part isGood={isReady} name="Stored runs" state={isReady ? 'Readable' : 'Kept, but may not be read now'} />
      </ul>
    </Group>
  );
}

interface PartProps {
  readonly isGood: boolean;
  readonly name: string;
  readonly state: string;
}

function Part({ isGood, name, state }: PartProps): JSX.Element {
  return (
    <li>
      <Mark result={isGood ? 'PASS' : 'UNDETERMINED'} />
      <b class="w6">{name}</b>
      <span class="soft">{state}</span>
    </li>
  );
}

/** By day, from the runs that are stored: a day without a run says nothing of the service. */
function Runs({ traffic, now }: { readonly traffic: RunTraffic; readonly now: Date }): JSX.Element {
  const { days } = traffic;
  const dayOf = (one = days[0]): string => (one ? formatDay(one.day, now.toISOString()) : '');
  const busy = days.filter(({ finished }) => finished > 0);
  const incomplete = busy.filter(({ withoutScore }) => withoutScore > 0);
  return (
    <Group
      title="Runs"
      meaning={
        <span>
          of all accounts, by day, <span class="all">{days.length} days</span>
          <span class="few">the last {PER_ROW}</span>
        </span>
      }
    >
      <p>
        <b class="all">{describeRuns(days)}.</b>
        <b class="few">{describeRuns(days.slice(-PER_ROW))}.</b>
        {incomplete.length > 0 && <span class="soft"> {WITHOUT_SCORE}</span>}
      </p>
      <PinRow
        pins={days.map((day) => ({ key: day.day, state: stateOf(day), title: describeDay(day) }))}
        label={`${days.length} days: ${busy.length} with runs, ${incomplete.length} of them with a run that has no score`}
      />
      <p class="axis">
        <span class="all">{dayOf(days.at(0))}</span>
        <span class="few">{dayOf(days.at(-PER_ROW))}</span>
        <span>today</span>
      </p>
      <Key
        words={DAY_WORDS.filter(([state]) => state !== 'UNDETERMINED' || days.some((day) => stateOf(day) === state))}
      />
    </Group>
  );
}

const DAY_WORDS = [
  ['PASS', 'runs finished'],
  ['UNDETERMINED', 'none of them with a score'],
  ['NOT_APPLICABLE', 'no runs'],
] as const;

/** That single sites do not answer is none of our trouble; that none does may be. */
function stateOf({ finished, withoutScore }: RunDay): Result {
  if (finished === 0) return 'NOT_APPLICABLE';
  return withoutScore === finished ? 'UNDETERMINED' : 'PASS';
}

function describeDay({ day, finished, withoutScore }: RunDay): string {
  return `${day}: ${finished} finished, ${withoutScore} without a score`;
}
