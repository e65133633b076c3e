import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { type Pin, type PinGroup, WAITING_PINS } from '../../../scanner/report/pins.js';
import { LockGroup, PinLink } from './lock.js';
import { FIRST, HEIGHT, STEP } from './pins.js';

/** Where the line is, and how far below it the longest reaches. */
const LINE = 4;
const LONGEST = 18;

export interface HangProps {
  /** On how many sites each check fails, by its id. */
  readonly counts: ReadonlyMap<string, number>;
  /** The checks that words next to it name: they stand out. */
  readonly named?: ReadonlySet<string>;
  /** Of how many. */
  readonly siteCount: number;
  /** Where a bar leads: a shortcut for the mouse, for the words next to it are the keyboard's way. */
  readonly hrefOf: (checkId: string) => string;
}

/** Where many sites fail: a bar for each check hangs from the line, the longest where most fail. Ink, for it is a chart. */
export function Hang({ counts, named, siteCount, hrefOf }: HangProps): JSX.Element {
  const most = Math.max(1, ...counts.values());
  return (
    <div class="lock hang">
      {WAITING_PINS.map((group) => (
        <LockGroup key={group.name} name={group.name} words={describeFailures(group, counts)}>
          <svg class="pins" viewBox={`0 0 ${group.pins.length * STEP} ${HEIGHT}`} aria-hidden="true">
            <path class="shear" d={`M0 ${LINE}h${group.pins.length * STEP}`} />
            {group.pins.map((pin, index) => (
              <Bar
                key={pin.checkId}
                {...{ pin, index, most, siteCount, hrefOf }}
                isNamed={named?.has(pin.checkId) ?? false}
                count={counts.get(pin.checkId) ?? 0}
              />
            ))}
          </svg>
        </LockGroup>
      ))}
    </div>
  );
}

interface BarProps extends Pick<HangProps, 'siteCount' | 'hrefOf'> {
  readonly pin: Pin;
  readonly index: number;
  readonly count: number;
  readonly isNamed: boolean;
  /** The largest count of all. */
  readonly most: number;
}

function Bar({ pin, index, count, isNamed, most, siteCount, hrefOf }: BarProps): JSX.Element {
  const length = Math.round((count / most) * LONGEST * 10) / 10;
  const bar = (
    <path class={count === 0 ? 'e' : isNamed ? 'f' : 'now'} d={`M${FIRST + index * STEP} ${LINE}v${length}`} />
  );
  const title = `${pin.title}: fails on ${count} of ${countOf(siteCount, 'site')}`;
  if (count === 0)
    return (
      <g>
        <title>{title}</title>
        {bar}
      </g>
    );
  return (
    <PinLink {...{ title, index }} href={hrefOf(pin.checkId)}>
      {bar}
    </PinLink>
  );
}

/** A phone has room for the figure alone. */
function describeFailures({ pins }: PinGroup, counts: ReadonlyMap<string, number>): JSX.Element {
  const sum = pins.reduce((total, { checkId }) => total + (counts.get(checkId) ?? 0), 0);
  return (
    <>
      {sum}
      <span class="all"> {sum === 1 ? 'failure' : 'failures'}</span>
    </>
  );
}
