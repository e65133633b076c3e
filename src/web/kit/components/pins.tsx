import type { JSX } from 'preact';
import {
  describeCatalog,
  describeGroup,
  describePins,
  type Pin,
  type PinGroup,
  type PinState,
  WAITING_PINS,
} from '../../../scanner/report/pins.js';
import { capitalise } from '../format.js';

/**
 * The pins: one stroke a check, always in the registry's order. A failure drops through the line, so that place and shape say it
 * before colour does. In units of a drawing that is 25 high; strokes are 3.6 wide with round caps.
 */
export const HEIGHT = 25;
export const STEP = 6;
const GROUP_GAP = 5;
export const FIRST = 3;

/** Of one state: its class in the style sheet, and its stroke from a place on. */
const STROKES: Readonly<Record<PinState, readonly [className: string, stroke: (x: number) => string]>> = {
  WAITING: ['e', (x) => `M${x} 4v12`],
  NOT_APPLICABLE: ['n', (x) => `M${x} 10h0`],
  PASS: ['p', (x) => `M${x} 4v12`],
  UNDETERMINED: ['u', (x) => `M${x} 4v12.4`],
  FAIL: ['f', (x) => `M${x} 12v9`],
};
/** What is not scored is thin and grey: it must not look like a lost point. */
const UNSCORED: Readonly<Partial<Record<PinState, string>>> = { PASS: 'q', FAIL: 'k' };

const WORDS: Readonly<Record<PinState, string>> = {
  WAITING: 'waiting',
  NOT_APPLICABLE: 'does not apply',
  PASS: 'passed',
  UNDETERMINED: 'undetermined',
  FAIL: 'failed',
};

/** The class and the stroke of a pin at `x`. */
export function strokeOf({ state, scored }: Pick<Pin, 'state' | 'scored'>, x: number): readonly [string, string] {
  const [className, stroke] = STROKES[state];
  return [(scored ? undefined : UNSCORED[state]) ?? className, stroke(x)];
}

interface Strip {
  readonly width: number;
  /** By class: one path each keeps a strip small. */
  readonly paths: ReadonlyMap<string, string>;
  /** Where each pin stands, by check id. */
  readonly places: ReadonlyMap<string, number>;
}

/** All pins in a row, by class. */
export function stripOf(groups: readonly PinGroup[]): Strip {
  const paths = new Map<string, string>();
  const places = new Map<string, number>();
  let x = FIRST;
  for (const { pins } of groups) {
    for (const pin of pins) {
      const [className, stroke] = strokeOf(pin, x);
      paths.set(className, `${paths.get(className) ?? ''}${stroke}`);
      places.set(pin.checkId, x);
      x += STEP;
    }
    x += GROUP_GAP;
  }
  return { width: x - STEP - GROUP_GAP + FIRST, paths, places };
}

export interface PinsProps {
  readonly groups: readonly PinGroup[];
  /** `pins-s` in rows of text, `pins-l` as wide as there is room. */
  readonly size?: 'pins-s' | 'pins-l';
  /** Whether text next to it says the same. */
  readonly isSaid?: boolean;
  /** Whether the pins drop into place, once. */
  readonly isMoving?: boolean;
}

/** All checks in one strip. */
export function Pins({ groups, size, isSaid = false, isMoving = false }: PinsProps): JSX.Element {
  const { width, paths } = stripOf(groups);
  return (
    <svg
      class={['pins', size, isMoving && 'drop'].filter(Boolean).join(' ')}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      {...(isSaid ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Checks: ${describePins(groups)}` })}
    >
      {size === 'pins-l' && <path class="shear" d={`M0 19.3h${width}`} />}
      <Strokes paths={paths} />
    </svg>
  );
}

function Strokes({ paths }: Pick<Strip, 'paths'>): JSX.Element {
  return (
    <>
      {[...paths].map(([className, d]) => (
        <path key={className} class={className} d={d} />
      ))}
    </>
  );
}

/** The names of the pillars above a column of strips. The last has no room for one. */
export function PinHeads(): JSX.Element {
  const { width, places } = stripOf(WAITING_PINS);
  return (
    <svg class="pins heads" viewBox={`0 0 ${width} 9`} aria-hidden="true">
      {WAITING_PINS.slice(0, -1).map(({ name, pins: [first] }) => (
        <text key={name} x={(places.get(first?.checkId ?? '') ?? 0) - 1.8} y="7">
          {capitalise(name.split(' ').at(-1) ?? '')}
        </text>
      ))}
    </svg>
  );
}

/** How far the second strip of a pair lies below the first, and the names of what differs between them. */
const PAIR = { below: 37, lines: [31, 26, 36], letter: 2.4 };
/** From here on a name stands before its line: it has no room behind it. */
const LAST_NAMES = 100;

export interface PinPairProps {
  readonly before: readonly PinGroup[];
  readonly now: readonly PinGroup[];
  /** For those who do not see it. */
  readonly label: string;
  readonly nameOf: (checkId: string) => string;
}

/** Two runs one above the other, with a line from each pin that differs. */
export function PinPair({ before, now, label, nameOf }: PinPairProps): JSX.Element {
  const [above, below] = [stripOf(before), stripOf(now)];
  const states = new Map(before.flatMap(({ pins }) => pins.map(({ checkId, state }) => [checkId, state])));
  const moved = now.flatMap(({ pins }) => pins.filter(({ checkId, state }) => states.get(checkId) !== state));
  const places = moved.map(({ checkId }) => ({ x: below.places.get(checkId) ?? 0, name: nameOf(checkId) }));
  const ends = PAIR.lines.map(() => 0);
  return (
    <svg class="pins pins-l" viewBox={`0 0 ${below.width} ${PAIR.below + HEIGHT}`} role="img" aria-label={label}>
      <Strokes paths={above.paths} />
      <path class="link" d={places.map(({ x }) => `M${x} 22v17`).join('')} />
      {places.map(({ x, name }) => {
        // On the first line where the name before it has ended; none where no line has room.
        const width = 3 + name.length * PAIR.letter;
        const isBefore = x > LAST_NAMES;
        const line = ends.findIndex((end) => end <= (isBefore ? x - width : x));
        if (line === -1) return null;
        ends[line] = isBefore ? x : x + width;
        return (
          <text key={x} class={isBefore ? 'name end' : 'name'} x={isBefore ? x - 2 : x + 2} y={PAIR.lines[line]}>
            {name}
          </text>
        );
      })}
      <g transform={`translate(0 ${PAIR.below})`}>
        <Strokes paths={below.paths} />
      </g>
    </svg>
  );
}

export interface LockProps {
  readonly groups: readonly PinGroup[];
  /** Where a pin leads: a shortcut for the mouse, for the list below it is the keyboard's way. */
  readonly hrefOf?: (pin: Pin) => string;
  /** Whether the pins drop into place, once. */
  readonly isMoving?: boolean;
  /** Whether it shows what there is, rather than how it stands: then all are ink, and say nothing but what they are. */
  readonly isCatalog?: boolean;
}

/** The pins large, by pillar, with how many of each passed. */
export function Lock({ groups, hrefOf, isMoving = false, isCatalog = false }: LockProps): JSX.Element {
  return (
    <div class={isMoving ? 'lock drop' : 'lock'}>
      {groups.map((group) => (
        <div key={group.name}>
          <GroupPins group={group} hrefOf={hrefOf} />
          <span class="of">
            <b>{group.name}</b>
            <span class="soft">{isCatalog ? describeCatalog(group) : describeGroup(group)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** The pins of one pillar. */
export function GroupPins({
  group: { pins },
  hrefOf,
}: {
  readonly group: PinGroup;
  readonly hrefOf?: LockProps['hrefOf'];
}): JSX.Element {
  const width = pins.length * STEP;
  return (
    <svg class="pins" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      <path class="shear" d={`M0 19.3h${width}`} />
      {pins.map((pin, index) => {
        const [className, d] = strokeOf(pin, FIRST + index * STEP);
        if (!hrefOf) return <path key={pin.checkId} class={className} d={d} />;
        return (
          <a key={pin.checkId} href={hrefOf(pin)} tabIndex={-1}>
            <title>{`${pin.title}: ${WORDS[pin.state]}`}</title>
            <path class="hit" d={`M${index * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />
            <path class={className} d={d} />
          </a>
        );
      })}
    </svg>
  );
}

/** One pin, as tall as what stands around it. */
export function OnePin({ state, scored = true }: { readonly state: PinState; readonly scored?: boolean }): JSX.Element {
  const [className, d] = strokeOf({ state, scored }, FIRST);
  return (
    <svg class="pins" viewBox={`0 0 ${STEP} ${HEIGHT}`} aria-hidden="true">
      <path class={className} d={d} />
    </svg>
  );
}

/** How one check came out in a run. */
export interface RunPin extends Pick<Pin, 'state' | 'scored'> {
  readonly number: number;
  readonly href: string;
}

/** Fewer pins than these are not drawn larger. */
export const RUN_PINS_MIN = 12;

/** One check over its runs, the oldest first. Each pin leads to its run, for the mouse: words next to them say the same. */
export function RunPins({ pins }: { readonly pins: readonly RunPin[] }): JSX.Element {
  const width = Math.max(pins.length, RUN_PINS_MIN) * STEP;
  return (
    <svg class="pins pins-l" viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {pins.map(({ number, href, ...pin }, index) => {
        const [className, d] = strokeOf(pin, FIRST + index * STEP);
        return (
          <a key={number} href={href} tabIndex={-1}>
            <title>{`Run ${number}: ${WORDS[pin.state]}`}</title>
            <path class="hit" d={`M${index * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />
            <path class={className} d={d} />
          </a>
        );
      })}
    </svg>
  );
}

const LEGEND = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'] as const;

/** What the shapes mean. */
export function Legend(): JSX.Element {
  return (
    <p class="key">
      {LEGEND.map((state) => (
        <span key={state}>
          <OnePin state={state} />
          {WORDS[state]}
        </span>
      ))}
    </p>
  );
}

/** Nothing yet: grey pins, a sentence, the next step. */
export function Empty({ children }: { readonly children: JSX.Element | readonly JSX.Element[] }): JSX.Element {
  return (
    <div class="empty">
      <Pins groups={WAITING_PINS} size="pins-l" isSaid />
      {children}
    </div>
  );
}

/** The mark of the product: four pins, the third dropped. */
export function BrandMark(): JSX.Element {
  return (
    <svg viewBox="0 0 26 20" aria-hidden="true" fill="none" stroke-width="3.6" stroke-linecap="round">
      <path class="now" d="M3 4v12M9.6 4v12M22.8 4v12" />
      <path class="f" d="M16.2 9v9" />
    </svg>
  );
}
