import type { ComponentChildren, JSX } from 'preact';
import { Pins } from './pins.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';

interface ErrorPageProps {
  readonly title: ComponentChildren;
  readonly lead: ComponentChildren;
  /** By default, one pin is missing. */
  readonly pins?: readonly PinGroup[] | undefined;
  readonly children?: ComponentChildren;
}

/** A page that says what went wrong, and what to do. */
export function ErrorPage({ title, lead, pins = GAP_PINS, children }: ErrorPageProps): JSX.Element {
  return (
    <div class="w hero short">
      <div>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
      </div>
      <div>
        <Pins groups={pins} size="pins-l" isDecorative />
      </div>
    </div>
  );
}

/** A pin is always a result, so a missing page is a missing pin. */
export const GAP_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => (pin.checkId === 'C-WK-02' ? { ...pin, state: 'NOT_APPLICABLE' } : pin)),
}));
