import type { JSX } from 'preact';
import type { PinState } from '../../../scanner/report/pins.js';
import { FIRST, HEIGHT, STEP, strokeOf } from './pins.js';

/** One of a row of pins that are not checks: days, deliveries. */
export interface RowPin {
  readonly key: string;
  readonly state: PinState;
  /** What the mouse is told. */
  readonly title: string;
}

/** Any results in a row, as wide as there is room. @param label says what it shows */
export function PinRow({ pins, label }: { readonly pins: readonly RowPin[]; readonly label: string }): JSX.Element {
  const width = pins.length * STEP;
  return (
    <svg
      class="pins pins-l days"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {pins.map(({ key, state, title }, index) => {
        const [className, d] = strokeOf({ state, scored: true }, FIRST + index * STEP);
        return (
          <path key={key} class={className} d={d}>
            <title>{title}</title>
          </path>
        );
      })}
    </svg>
  );
}
