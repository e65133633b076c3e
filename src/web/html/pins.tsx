import type { ComponentChildren } from 'preact';
import {
  describeGroup,
  describePins,
  type Pin,
  type PinGroup,
  type PinState,
  WAITING_PINS,
} from '../../scanner/report/pins.js';
import { capitalise } from './text.js';

/**
 * Geometry of the pins: a stroke per check, in the registry's order, 3.6 wide with round caps. A failure drops below the line, so that
 * its position and shape show it without colour.
 */
const HEIGHT = 25;
const STEP = 6;
const GROUP_GAP = 5;
const FIRST_X = 3;

const STROKES: Readonly<Record<PinState, readonly [className: string, stroke: (x: number) => string]>> = {
  WAITING: ['e', (x) => `M${x} 4v12`],
  NOT_APPLICABLE: ['n', (x) => `M${x} 10h0`],
  PASS: ['p', (x) => `M${x} 4v12`],
  UNDETERMINED: ['u', (x) => `M${x} 4v12.4`],
  FAIL: ['f', (x) => `M${x} 12v9`],
};
/** Unscored pins are thin and grey, so that they do not look like lost points. */
const UNSCORED: Readonly<Partial<Record<PinState, string>>> = { PASS: 'q', FAIL: 'k' };

export const PIN_WORDS: Readonly<Record<PinState, string>> = {
  WAITING: 'waiting',
  NOT_APPLICABLE: 'does not apply',
  PASS: 'passed',
  UNDETERMINED: 'undetermined',
  FAIL: 'failed',
};

/** Returns the class and the stroke of a pin at `x`. */
function strokeOf({ state, scored }: Pick<Pin, 'state' | 'scored'>, x: number): readonly [string, string] {
  const [className, stroke] = STROKES[state];
  return [(scored ? undefined : UNSCORED[state]) ?? className, stroke(x)];
}

interface Strip {
  readonly width: number;
  /** One path per class keeps a strip small. */
  readonly paths: ReadonlyMap<string, string>;
  /** The `x` of each pin, by check id. */
  readonly positions: ReadonlyMap<string, number>;
}

export function stripOf(groups: readonly PinGroup[]): Strip {
  const paths = new Map<string, string>();
  const positions = new Map<string, number>();
  let x = FIRST_X;
  for (const { pins } of groups) {
    for (const pin of pins) {
      const [className, stroke] = strokeOf(pin, x);
      paths.set(className, `${paths.get(className) ?? ''}${stroke}`);
      positions.set(pin.checkId, x);
      x += STEP;
    }
    x += GROUP_GAP;
  }
  return { width: x - STEP - GROUP_GAP + FIRST_X, paths, positions };
}

interface PinsProps {
  readonly groups: readonly PinGroup[];
  /** `pins-l` fills the width. */
  readonly size?: 'pins-l';
  /** True if text next to the pins says the same: screen readers then skip them. */
  readonly isDecorative?: boolean;
  /** True if the pins drop into place, once. */
  readonly isMoving?: boolean;
}

export function Pins({ groups, size, isDecorative = false, isMoving = false }: PinsProps) {
  const { width, paths } = stripOf(groups);
  return (
    <svg
      class={['pins', size, isMoving && 'drop'].filter(Boolean).join(' ')}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      {...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `Checks: ${describePins(groups)}` })}
    >
      {size === 'pins-l' && <path class="pin-line" d={`M0 19.3h${width}`} />}
      {[...paths].map(([className, d]) => (
        <path key={className} class={className} d={d} />
      ))}
    </svg>
  );
}

export interface StripPin extends Pick<Pin, 'state' | 'scored'> {
  readonly title: string;
  /** Link for the mouse. Keyboards have text links elsewhere. */
  readonly href: string | null;
}

interface PinStripProps {
  readonly pins: readonly StripPin[];
  /** Minimum width, in pins. */
  readonly room?: number;
}

export function PinStrip({ pins, room = 0 }: PinStripProps) {
  return (
    <svg
      class={room > 0 ? 'pins pins-l' : 'pins'}
      viewBox={`0 0 ${Math.max(pins.length, room) * STEP} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path class="pin-line" d={`M0 19.3h${pins.length * STEP}`} />
      {pins.map(({ title, href, ...pin }, index) => {
        const [className, d] = strokeOf(pin, FIRST_X + index * STEP);
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

interface PinGroupsProps {
  readonly groups: readonly PinGroup[];
  /** Links of pins, for the mouse. Keyboards have the list below. */
  readonly hrefOf?: (pin: Pin) => string;
  readonly wordsOf?: (group: PinGroup) => string;
}

/** Large pins by pillar, each with the number of passed checks. */
export function PinGroups({ groups, hrefOf, wordsOf = describeGroup }: PinGroupsProps) {
  return (
    <div class="pin-groups">
      {groups.map((group) => (
        <div key={group.name}>
          <PinStrip
            pins={group.pins.map((pin) => ({
              state: pin.state,
              scored: pin.scored,
              title: `${pin.title}: ${pin.isUntested ? 'not tested' : PIN_WORDS[pin.state]}`,
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

/** The names of the pillars, as the heading of a column of strips. */
export function PinHeads() {
  const { width, positions } = stripOf(WAITING_PINS);
  return (
    <svg class="pins heads" viewBox={`0 0 ${width} 9`} aria-hidden="true">
      {WAITING_PINS.map(({ name, pins: [first, ...others] }) => (
        <text key={name} x={(positions.get(first?.checkId ?? '') ?? 0) - (others.length > 0 ? 1.8 : 0)} y={7}>
          {capitalise(name.split(' ').at(-1) ?? '')}
        </text>
      ))}
    </svg>
  );
}

/** One pin, as tall as the text around it. */
export function OnePin({ state, scored = true }: { readonly state: PinState; readonly scored?: boolean }) {
  const [className, d] = strokeOf({ state, scored }, FIRST_X);
  return (
    <svg class="pins" viewBox={`0 0 ${STEP} ${HEIGHT}`} aria-hidden="true">
      <path class={className} d={d} />
    </svg>
  );
}

const RESULTS = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'] as const;

/** Explains the shapes of the pins. */
export function Legend() {
  return (
    <p class="key">
      {RESULTS.map((state) => (
        <span key={state}>
          <OnePin state={state} />
          {PIN_WORDS[state]}
          {state === 'NOT_APPLICABLE' && ' or not tested'}
        </span>
      ))}
      <span>
        <OnePin state="PASS" scored={false} />
        Forward: not scored
      </span>
    </p>
  );
}

/** An empty state: grey pins, then a sentence and the next step. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Pins groups={WAITING_PINS} size="pins-l" isDecorative />
      {children}
    </div>
  );
}

export function BrandMark() {
  return (
    <svg viewBox="0 0 26 20" aria-hidden="true" fill="none" stroke-width="3.6" stroke-linecap="round">
      <path class="now" d="M3 4v12M9.6 4v12M22.8 4v12" />
      <path class="f" d="M16.2 9v9" />
    </svg>
  );
}
