import type { JSX } from 'preact';
import type { PinGroup, PinState } from '../../../scanner/report/pins.js';
import { GroupNames, HEIGHT, Strokes, stripOf } from './pins.js';

/** How much room the names of the groups have above the first strip, how far the second lies below it, and where what differs is named. */
const PAIR = { above: 6, below: 37, middle: 32 };
/** Where the first pin begins: at the left end of the drawing. */
const EDGE = 1.2;
/** How wide a letter of a name is on a narrow screen, where it is larger, and how far the name is from its line. */
const LETTER = { width: 2.1, gap: 2 };

/** Where a line begins below a pin of the first strip, and ends above one of the second, so that it touches neither. */
const ENDS: Readonly<Record<PinState, readonly [below: number, above: number]>> = {
  WAITING: [21, -1],
  NOT_APPLICABLE: [14, 6],
  PASS: [21, -1],
  UNDETERMINED: [21, -1],
  FAIL: [26, 7],
};

/** What became of a check, in its colour. */
export interface PinNews {
  /** What the check is called. */
  readonly name: string;
  /** The name with what became of it. */
  readonly words: string;
  readonly tone: 'is-f' | 'is-p' | 'soft';
}

export interface PinPairProps {
  readonly before: readonly PinGroup[];
  readonly now: readonly PinGroup[];
  /** For those who do not see it. */
  readonly label: string;
  readonly newsOf: (checkId: string) => PinNews;
}

/** Two runs one above the other, with a line from each pin that differs. */
export function PinPair({ before, now, label, newsOf }: PinPairProps): JSX.Element {
  const [above, below] = [stripOf(before), stripOf(now)];
  const states = new Map(before.flatMap(({ pins }) => pins.map(({ checkId, state }) => [checkId, state])));
  const moved = now.flatMap(({ pins }) =>
    pins.flatMap(({ checkId, state: after }) => {
      const state = states.get(checkId);
      if (state === undefined || state === after) return [];
      const line = { from: ENDS[state][0], to: PAIR.below + ENDS[after][1] };
      return [{ ...line, ...newsOf(checkId), x: below.places.get(checkId) ?? 0 }];
    }),
  );
  const { above: top, below: second, middle } = PAIR;
  return (
    <svg
      class="pins pins-l"
      viewBox={`${EDGE} ${-top} ${below.width - EDGE} ${top + second + HEIGHT}`}
      role="img"
      aria-label={label}
    >
      <g class="heads">
        <GroupNames y={-2} />
        {/* Of one pin, too narrow for a name that begins where it does. */}
        <text class="end" x={above.width} y={-2}>
          Forward
        </text>
      </g>
      <Strokes paths={above.paths} />
      <path class="link" d={moved.map(({ x, from, to }) => `M${x} ${from}V${to}`).join('')} />
      {namePlaces(moved, below.width).map(({ x, isBefore, words, tone }) => (
        <text key={x} class={`name ${tone}${isBefore ? ' end' : ''}`} x={x} y={middle}>
          {words}
        </text>
      ))}
      <g transform={`translate(0 ${second})`}>
        <Strokes paths={below.paths} />
      </g>
    </svg>
  );
}

interface Moved extends PinNews {
  readonly x: number;
}

interface Placed extends Moved {
  readonly isBefore: boolean;
}

/** With what became of each where there is room for that, else by its name alone. */
function namePlaces(moved: readonly Moved[], width: number): readonly Placed[] {
  return (
    placesOf(moved, width) ??
    placesOf(
      moved.map((one) => ({ ...one, words: one.name })),
      width,
    ) ??
    []
  );
}

/** Each name behind its line, or before it where there is more room; null where they would not all fit between the lines. */
function placesOf(moved: readonly Moved[], width: number): readonly Placed[] | null {
  let end = 0;
  const places = moved.map((one, index) => {
    const [length, next] = [LETTER.gap + one.words.length * LETTER.width, moved[index + 1]?.x ?? width];
    const isBefore = one.x + length > next;
    const isFitting = !isBefore || one.x - length >= end;
    end = isBefore ? one.x : one.x + length;
    return { ...one, x: one.x + (isBefore ? -LETTER.gap : LETTER.gap), isBefore, isFitting };
  });
  return places.every(({ isFitting }) => isFitting) ? places : null;
}
