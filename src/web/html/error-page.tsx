import type { ComponentChildren, JSX } from 'preact';
import type { Link } from './layout.js';
import { Icon } from './icons.js';
import { stripOf } from './pins.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';

/** Another page, and what is there. */
export type Way = readonly [...link: Link, words: string];

export interface ErrorPageProps {
  readonly title: ComponentChildren;
  /** Whether the title has a long name in it. */
  readonly isLong?: boolean;
  readonly lead: ComponentChildren;
  readonly ways: readonly Way[];
  /** What stands next to it: by default pins, of which one is missing. */
  readonly picture?: JSX.Element;
  /** What to do next. */
  readonly children?: ComponentChildren;
}

/** What went wrong or is not there yet, what to do, where to go next. */
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

/** Which of the strokes is missing. */
const GAP = 14;

/** Grey pins, one of them missing: a pin is always a result, so what is not there is a gap in the row. */
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
