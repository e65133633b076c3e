import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';
import { Icon } from './icons.js';
import { stripOf } from './pins.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';

/** A link to another page, with a description. */
export type Way = readonly [...link: Link, words: string];

export interface ErrorPageProps {
  readonly title: ComponentChildren;
  /** True if the title contains a long name. */
  readonly isLong?: boolean;
  readonly lead: ComponentChildren;
  readonly ways: readonly Way[];
  /** By default pins, of which one is missing. */
  readonly picture?: JSX.Element;
  /** What to do next. */
  readonly children?: ComponentChildren;
}

/** A page that says what went wrong, what to do, and where to go next. */
export function ErrorPage({
  title,
  isLong = false,
  lead,
  ways,
  picture = <GapPins />,
  children,
}: ErrorPageProps): JSX.Element {
  return (
    <>
      <div class="w hero short">
        <div>
          <h1 class={isLong ? 'long' : undefined}>{title}</h1>
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

/** Index of the missing pin. */
const GAP = 14;

/** Grey pins with a gap: a pin is always a result, so a missing page is a missing pin. */
export function GapPins(): JSX.Element {
  const { width, paths } = stripOf(WAITING_PINS);
  const strokes = (paths.get('e') ?? '').match(/M[^M]+/g) ?? [];
  const x = Number(/^M(\d+)/.exec(strokes[GAP] ?? '')?.[1] ?? 0);
  return (
    <svg class="pins pins-l" viewBox={`0 0 ${width} 25`} aria-hidden="true">
      <path class="shear" d={`M0 19.3h${width}`} />
      <path class="e" d={strokes.filter((_, index) => index !== GAP).join('')} />
      <rect class="hole" x={x - 1.8} y="2.2" width="3.6" height="15.6" rx="1.8" />
    </svg>
  );
}
