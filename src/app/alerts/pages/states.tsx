import type { JSX } from 'preact';
import { Mark } from '../../../web/kit/components/icons.js';
import { PinStrip } from '../../../web/kit/components/pin-row.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import type { Delivery } from '../webhook.js';

/** How a message is drawn, and in a word. */
const LOOKS: Readonly<Record<Delivery['state'], readonly [drawn: Result, word: string]>> = {
  waiting: ['UNDETERMINED', 'Waiting'],
  delivered: ['PASS', 'Delivered'],
  failed: ['FAIL', 'Given up'],
};

/** The state of a message as a shape; a word next to it says the same. */
export function DeliveryMark({ state }: { readonly state: Delivery['state'] }): JSX.Element {
  return <Mark result={LOOKS[state][0]} isSaid />;
}

/** Of a message that was tried and waits to be tried again: that it did not arrive. */
export function wordOf({ state, problem }: Delivery): string {
  return state === 'waiting' && problem !== null ? 'Not delivered yet' : LOOKS[state][1];
}

const PINS_MAX = 10;

/** The last messages, the latest first, as pins with the latest at the right, and in words: one that nobody took dropped through the line. */
export function DeliveryPins({ deliveries }: { readonly deliveries: readonly Delivery[] }): JSX.Element {
  const last = deliveries.slice(0, PINS_MAX).reverse();
  const states = Map.groupBy(last, ({ state }) => state);
  return (
    <>
      <PinStrip
        pins={last.map(({ id, state }) => ({ key: id, state: LOOKS[state][0] }))}
        room={PINS_MAX}
        size="pins-s"
      />
      <span class="soft small">
        {[...states].map(([state, { length }]) => `${length} ${LOOKS[state][1].toLowerCase()}`).join(', ')}
      </span>
    </>
  );
}
