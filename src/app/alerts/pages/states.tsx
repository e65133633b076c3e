import type { JSX } from 'preact';
import { Mark } from '../../../web/kit/components/icons.js';
import { strokeOf } from '../../../web/kit/components/pins.js';
import type { PinState } from '../../../scanner/report/pins.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import type { Delivery } from '../webhook.js';

/** How a message is drawn: as a mark and as a pin, and in a word. */
const LOOKS: Readonly<Record<Delivery['state'], readonly [mark: Result, pin: PinState, word: string]>> = {
  waiting: ['UNDETERMINED', 'UNDETERMINED', 'Waiting'],
  delivered: ['PASS', 'PASS', 'Delivered'],
  failed: ['FAIL', 'FAIL', 'Given up'],
};

/** The state of a message as a shape; a word next to it says the same. */
export function DeliveryMark({ state }: { readonly state: Delivery['state'] }): JSX.Element {
  return <Mark result={LOOKS[state][0]} isSaid />;
}

export function wordOf({ state }: Delivery): string {
  return LOOKS[state][2];
}

/** In the units of the pins. */
const STEP = 6;
const PINS_MAX = 10;

export interface DeliveryPinsProps {
  /** The latest first. */
  readonly deliveries: readonly Delivery[];
  readonly size: 'pins-s' | 'pins-l';
}

/** The last messages as pins, the latest at the right: one that nobody took dropped through the line. */
export function DeliveryPins({ deliveries, size }: DeliveryPinsProps): JSX.Element {
  const last = deliveries.slice(0, PINS_MAX).reverse();
  const delivered = last.filter(({ state }) => state === 'delivered').length;
  return (
    <svg
      class={`pins ${size}`}
      viewBox={`0 0 ${STEP * PINS_MAX} 25`}
      role="img"
      aria-label={`${delivered} of ${last.length} delivered`}
    >
      {last.map(({ id, state }, index) => {
        const [className, d] = strokeOf({ state: LOOKS[state][1], scored: true }, STEP / 2 + index * STEP);
        return <path key={id} class={className} d={d} />;
      })}
    </svg>
  );
}
