import type { ComponentChildren, JSX } from 'preact';
import { Pins } from './pins.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';

interface ErrorPageProps {
  readonly title: ComponentChildren;
  readonly lead: ComponentChildren;
  /** By default pins, of which one is missing. */
  readonly picture?: JSX.Element;
  readonly children?: ComponentChildren;
}

/** A page that says what went wrong, and what to do. */
export function ErrorPage({ title, lead, picture = <GapPins />, children }: ErrorPageProps): JSX.Element {
  return (
    <div class="w hero short">
      <div>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
      </div>
      <div>{picture}</div>
    </div>
  );
}

/** A pin is always a result, so a missing page is a missing pin. */
const GAP: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => (pin.checkId === 'C-WK-02' ? { ...pin, state: 'NOT_APPLICABLE' } : pin)),
}));

export function GapPins(): JSX.Element {
  return <Pins groups={GAP} size="pins-l" isDecorative />;
}
