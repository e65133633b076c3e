import type { ComponentChildren, JSX } from 'preact';
import { describeGroup, type Pin, type PinGroup } from '../../scanner/report/pins.js';
import { FIRST, HEIGHT, PIN_WORDS, STEP, strokeOf } from './pins.js';

export interface StripPin extends Pick<Pin, 'state' | 'scored'> {
  /** Tooltip. */
  readonly title: string;
  /** Link for the mouse: words elsewhere are links for the keyboard. */
  readonly href: string | null;
}

interface PinStripProps {
  readonly pins: readonly StripPin[];
  /** Minimum number of pins that fill the width. */
  readonly room?: number;
}

/** Pins over their line. */
export function PinStrip({ pins, room = 0 }: PinStripProps): JSX.Element {
  return (
    <svg
      class={room > 0 ? 'pins pins-l' : 'pins'}
      viewBox={`0 0 ${Math.max(pins.length, room) * STEP} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path class="shear" d={`M0 19.3h${pins.length * STEP}`} />
      {pins.map(({ title, href, ...pin }, index) => {
        const [className, d] = strokeOf(pin, FIRST + index * STEP);
        const path = <path key={title} class={className} d={d} />;
        if (href === null) return path;
        return (
          <a key={title} href={href} tabIndex={-1}>
            <title>{title}</title>
            <path class="hit" d={`M${index * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />
            {path}
          </a>
        );
      })}
    </svg>
  );
}

export interface LockProps {
  readonly groups: readonly PinGroup[];
  /** Where a pin leads the mouse: the list below is for the keyboard. */
  readonly hrefOf?: (pin: Pin) => string;
  /** True for the checks themselves, rather than their results: all pins are ink. */
  readonly isCatalog?: boolean;
  /** What is below each group. */
  readonly wordsOf?: (group: PinGroup) => ComponentChildren;
}

/** The pins large, by pillar, with how many of each passed. */
export function Lock({ groups, hrefOf, isCatalog = false, ...props }: LockProps): JSX.Element {
  const { wordsOf = isCatalog ? describeCatalog : describeGroup } = props;
  return (
    <div class="lock">
      {groups.map((group) => (
        <div key={group.name}>
          <PinStrip
            pins={group.pins.map((pin) => ({
              state: pin.state,
              scored: pin.scored,
              title: `${pin.title}: ${PIN_WORDS[pin.state]}`,
              href: hrefOf?.(pin) ?? null,
            }))}
          />
          <span class="of">
            <b>{group.name}</b>
            <span class="soft">{wordsOf(group)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** Counts the checks of a group. A phone has room for the figure alone. */
function describeCatalog({ pins, pillar }: PinGroup): ComponentChildren {
  if (pillar === null) return 'not scored';
  return (
    <>
      {pins.length}
      <span class="all"> {pins.length === 1 ? 'check' : 'checks'}</span>
    </>
  );
}
