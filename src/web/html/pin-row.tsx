import type { JSX } from 'preact';
import type { Pin } from '../../scanner/report/pins.js';
import { PinLink } from './lock.js';
import { FIRST, HEIGHT, STEP, strokeOf } from './pins.js';

/** One of a row of pins that are not the checks of a run: runs, days, deliveries. */
export interface RowPin extends Pick<Pin, 'state'> {
  readonly key: string;
  /** By default it is. */
  readonly scored?: boolean;
  /** What the mouse is told. */
  readonly title?: string;
  /** Where it leads, for the mouse: words next to the row say the same. */
  readonly href?: string;
}

export interface PinStripProps {
  readonly pins: readonly RowPin[];
  /** The row has room for so many: fewer are not drawn larger. */
  readonly room?: number;
  readonly size?: 'pins-s' | 'pins-l';
  /** What it shows; nothing where text next to it says the same. */
  readonly label?: string;
}

/** Where a failure begins, below the others. */
const DROP = 10;

/** Any results in a row. */
export function PinStrip({ pins, room = 0, size, label }: PinStripProps): JSX.Element {
  // Where all have dropped, nothing stands above them.
  const top = size === 'pins-l' && pins.every(({ state }) => state === 'FAIL') ? DROP : 0;
  return (
    <svg
      class={size === undefined ? 'pins' : `pins ${size}`}
      viewBox={`0 ${top} ${Math.max(pins.length, room) * STEP} ${HEIGHT - top}`}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {size === 'pins-l' && <path class="shear" d={`M0 19.3h${pins.length * STEP}`} />}
      {pins.map(({ key, state, scored = true, title = '', href }, index) => {
        const [className, d] = strokeOf({ state, scored }, FIRST + index * STEP);
        if (href === undefined) {
          return (
            <path key={key} class={className} d={d}>
              {title !== '' && <title>{title}</title>}
            </path>
          );
        }
        return (
          <PinLink key={key} {...{ href, title, index }}>
            <path class={className} d={d} />
          </PinLink>
        );
      })}
    </svg>
  );
}
