import type { ComponentChildren, JSX } from 'preact';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';
import { GapPins } from './error-page.js';
import { Pins } from './pins.js';

/** Every pin in line: what the checks are for. */
const PASSED_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => ({ ...pin, state: 'PASS' })),
}));

export interface DoorProps {
  /** What the pins stand for, next to them. */
  readonly words: ComponentChildren;
  /** Whether it does not open: then a pin is missing. */
  readonly isShut?: boolean;
  readonly children: ComponentChildren;
}

/** A page with one form that lets people in, and the pins next to it. */
export function Door({ words, isShut = false, children }: DoorProps): JSX.Element {
  return (
    <div class="door">
      <section>
        <div>{children}</div>
      </section>
      <aside>
        <div class="drop">{isShut ? <GapPins /> : <Pins groups={PASSED_PINS} size="pins-l" isSaid />}</div>
        <p>{words}</p>
      </aside>
    </div>
  );
}
