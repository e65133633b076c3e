import type { JSX } from 'preact';
import type { Pin } from '../../scanner/report/pins.js';
import { PinLink } from './lock.js';
import { FIRST, HEIGHT, STEP, strokeOf } from './pins.js';

/** A pin that is not a check: a run, a day or a delivery. */
export interface RowPin extends Pick<Pin, 'state'> {
  readonly key: string;
  /** True by default. */
  readonly scored?: boolean;
  /** Tooltip. */
  readonly title?: string;
  /** Link for the mouse: words next to the row are links for the keyboard. */
  readonly href?: string;
}

export interface PinStripProps {
  readonly pins: readonly RowPin[];
  /** Minimum number of pins that fill the width. */
  readonly room?: number;
  readonly size?: 'pins-s' | 'pins-l';
  /** For screen readers; left out if text next to it says the same. */
  readonly label?: string;
}

/** Top of a failure's stroke. */
const DROP = 10;

/** Results in a row. */
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
