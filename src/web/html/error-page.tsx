import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';
import { Icon } from './icons.js';
import { Pins } from './pins.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';

/** A link to another page, with a description. */
export type Way = readonly [...link: Link, words: string];

export interface ErrorPageProps {
  readonly title: ComponentChildren;
  readonly lead: ComponentChildren;
  readonly ways: readonly Way[];
  /** By default pins, of which one is missing. */
  readonly picture?: JSX.Element;
  /** What to do next. */
  readonly children?: ComponentChildren;
}

/** A page that says what went wrong, what to do, and where to go next. */
export function ErrorPage({ title, lead, ways, picture = <GapPins />, children }: ErrorPageProps): JSX.Element {
  return (
    <>
      <div class="w hero short">
        <div>
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
          {children}
        </div>
        <div>{picture}</div>
      </div>
      <div class="w">
        <nav class="ways" aria-label="Where to go next">
          {ways.map(([href, label, words]) => (
            <a key={href} href={href}>
              {label} <Icon name="right" />
              <small>{words}</small>
            </a>
          ))}
        </nav>
      </div>
    </>
  );
}

/** A pin is always a result, so a missing page is a missing pin. */
const GAP: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => (pin.checkId === 'C-WK-02' ? { ...pin, state: 'NOT_APPLICABLE' } : pin)),
}));

/** Grey pins with a gap. */
export function GapPins(): JSX.Element {
  return <Pins groups={GAP} size="pins-l" isDecorative />;
}
