import type { ComponentChildren, JSX } from 'preact';
import { describeGroup, type Pin, type PinGroup } from '../../scanner/report/pins.js';
import { FIRST, HEIGHT, PIN_WORDS, STEP, strokeOf } from './pins.js';

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
          <svg class="pins" viewBox={`0 0 ${group.pins.length * STEP} ${HEIGHT}`} aria-hidden="true">
            <path class="shear" d={`M0 19.3h${group.pins.length * STEP}`} />
            {group.pins.map((pin, index) => {
              const [className, d] = strokeOf(pin, FIRST + index * STEP);
              const path = <path key={pin.checkId} class={className} d={d} />;
              if (!hrefOf) return path;
              const title = `${pin.title}: ${PIN_WORDS[pin.state]}`;
              return (
                <PinLink key={pin.checkId} href={hrefOf(pin)} title={title} index={index}>
                  {path}
                </PinLink>
              );
            })}
          </svg>
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

interface PinLinkProps {
  readonly href: string;
  readonly title: string;
  /** Its position in the row. */
  readonly index: number;
  readonly children: JSX.Element;
}

/** Makes a pin a link for the mouse. Words elsewhere are links for the keyboard. */
export function PinLink({ href, title, index, children }: PinLinkProps): JSX.Element {
  return (
    <a href={href} tabIndex={-1}>
      <title>{title}</title>
      <path class="hit" d={`M${index * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />
      {children}
    </a>
  );
}
