import type { JSX } from 'preact';
import type { PinGroup } from '../../../scanner/report/pins.js';
import { HEIGHT, Strokes, stripOf } from './pins.js';

/** How far the second strip of a pair lies below the first, and the names of what differs between them. */
const PAIR = { below: 37, lines: [31, 26, 36], letter: 2.4 };
/** From here on a name stands before its line: it has no room behind it. */
const LAST_NAMES = 100;

export interface PinPairProps {
  readonly before: readonly PinGroup[];
  readonly now: readonly PinGroup[];
  /** For those who do not see it. */
  readonly label: string;
  readonly nameOf: (checkId: string) => string;
}

/** Two runs one above the other, with a line from each pin that differs. */
export function PinPair({ before, now, label, nameOf }: PinPairProps): JSX.Element {
  const [above, below] = [stripOf(before), stripOf(now)];
  const states = new Map(before.flatMap(({ pins }) => pins.map(({ checkId, state }) => [checkId, state])));
  const moved = now.flatMap(({ pins }) => pins.filter(({ checkId, state }) => states.get(checkId) !== state));
  const places = moved.map(({ checkId }) => ({ x: below.places.get(checkId) ?? 0, name: nameOf(checkId) }));
  const ends = PAIR.lines.map(() => 0);
  return (
    <svg class="pins pins-l" viewBox={`0 0 ${below.width} ${PAIR.below + HEIGHT}`} role="img" aria-label={label}>
      <Strokes paths={above.paths} />
      <path class="link" d={places.map(({ x }) => `M${x} 22v17`).join('')} />
      {places.map(({ x, name }) => {
        // On the first line where the name before it has ended; none where no line has room.
        const width = 3 + name.length * PAIR.letter;
        const isBefore = x > LAST_NAMES;
        const line = ends.findIndex((end) => end <= (isBefore ? x - width : x));
        if (line === -1) return null;
        ends[line] = isBefore ? x : x + width;
        return (
          <text key={x} class={isBefore ? 'name end' : 'name'} x={isBefore ? x - 2 : x + 2} y={PAIR.lines[line]}>
            {name}
          </text>
        );
      })}
      <g transform={`translate(0 ${PAIR.below})`}>
        <Strokes paths={below.paths} />
      </g>
    </svg>
  );
}
