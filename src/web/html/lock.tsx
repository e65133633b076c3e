import type { ComponentChildren, JSX } from 'preact';
import { describeGroup, type Pin, type PinGroup } from '../../scanner/report/pins.js';
import { FIRST, HEIGHT, PIN_WORDS, STEP, strokeOf } from './pins.js';

export interface LockProps {
  readonly groups: readonly PinGroup[];
  /** Where a pin leads: a shortcut for the mouse, for the list below it is the keyboard's way. */
  readonly hrefOf?: (pin: Pin) => string;
  /** Whether the pins drop into place, once. */
  readonly isMoving?: boolean;
  /** Whether it shows what there is, rather than how it stands: then all are ink, and say nothing but what they are. */
  readonly isCatalog?: boolean;
  /** What stands below each group. */
  readonly wordsOf?: (group: PinGroup) => ComponentChildren;
}

/** The pins large, by pillar, with how many of each passed. */
export function Lock(props: LockProps): JSX.Element {
  const { groups, hrefOf, isMoving = false, isCatalog = false } = props;
  const { wordsOf = isCatalog ? describeCatalog : describeGroup } = props;
  return (
    <div class={isMoving ? 'lock drop' : 'lock'}>
      {groups.map((group) => (
        <LockGroup key={group.name} name={group.name} words={wordsOf(group)}>
          <GroupPins group={group} hrefOf={hrefOf} />
        </LockGroup>
      ))}
    </div>
  );
}

/** How many there are. A phone has room for the figure alone. */
function describeCatalog({ pins, pillar }: PinGroup): ComponentChildren {
  if (pillar === null) return 'not scored';
  return (
    <>
      {pins.length}
      <span class="all"> {pins.length === 1 ? 'check' : 'checks'}</span>
    </>
  );
}

interface LockGroupProps {
  readonly name: string;
  readonly words: ComponentChildren;
  readonly children: JSX.Element;
}

/** A drawing of one pillar, with its name and what it says. */
export function LockGroup({ name, words, children }: LockGroupProps): JSX.Element {
  return (
    <div>
      {children}
      <span class="of">
        <b>{name}</b>
        <span class="soft">{words}</span>
      </span>
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
          <PinLink key={pin.checkId} href={hrefOf(pin)} title={`${pin.title}: ${PIN_WORDS[pin.state]}`} index={index}>
            <path class={className} d={d} />
          </PinLink>
        );
      })}
    </svg>
  );
}

interface PinLinkProps {
  readonly href: string;
  readonly title: string;
  /** Its place in the row. */
  readonly index: number;
  readonly children: JSX.Element;
}

/** Makes a pin a shortcut for the mouse: what it leads to has words elsewhere, which are the keyboard's way. */
export function PinLink({ href, title, index, children }: PinLinkProps): JSX.Element {
  return (
    <a href={href} tabIndex={-1}>
      <title>{title}</title>
      <path class="hit" d={`M${index * STEP} 0h${STEP}v${HEIGHT}h-${STEP}z`} />
      {children}
    </a>
  );
}
