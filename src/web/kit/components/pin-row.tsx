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

/** So many fit a narrow screen, which shows the last of them alone. */
export const PER_ROW = 30;

/** Any results in a row, as wide as there is room. @param label says what it shows */
export function PinRow({ pins, label }: { readonly pins: readonly RowPin[]; readonly label: string }): JSX.Element {
  const first = pins.length % PER_ROW;
  const starts = [
    ...(first > 0 ? [0] : []),
    ...Array.from({ length: Math.floor(pins.length / PER_ROW) }, (_, index) => first + index * PER_ROW),
  ];
  return (
    <div class="days" role="img" aria-label={label}>
      {starts.map((start, index) => (
        <Stretch key={start} pins={pins.slice(start, starts[index + 1])} />
      ))}
    </div>
  );
}

function Stretch({ pins }: { readonly pins: readonly RowPin[] }): JSX.Element {
  return (
    <svg class="pins" viewBox={`0 0 ${pins.length * STEP} ${HEIGHT}`}>
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
