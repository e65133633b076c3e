import type { SVGAttributes } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import { pinGroupsOf, UNJUDGED_PINS } from '../../scanner/report/pins.js';
import { stripOf } from '../html/pins.js';
import type { Badge } from '../../app/publications/publications.js';

export const BADGE_SIZE = { width: 226, height: 28 };

/**
 * Colours of the light theme, since a badge has its own background. Drawings have a contrast of at least 3 : 1 to it
 * (WCAG 2.2, 1.4.11), words 4.5 : 1 (1.4.3).
 */
const BADGE_COLOURS = { paper: '#fffefb', line: '#e3dfd4', soft: '#565b60', ink: '#15181b' };

const FAINT = { stroke: '#8a867a', 'stroke-width': 1.8 };

/** Strokes by the class of a pin, since a separate image has no style sheet. */
const BADGE_STROKES: Readonly<Record<string, SVGAttributes<SVGPathElement>>> = {
  p: { stroke: '#0d7a54' },
  f: { stroke: '#c2301b' },
  u: { stroke: '#875800', 'stroke-dasharray': '0.1 6' },
  n: { stroke: '#8a867a', 'stroke-width': 2.6 },
  q: FAINT,
  k: FAINT,
  e: FAINT,
};

/** Returns the badge as an SVG document: the last score next to the pins of its run. Without a score, all pins are undetermined. */
export function drawBadge({ score, findings, answer }: Badge): string {
  const figure = score === null ? 'no score' : `${score} of 100`;
  const words = `Agent readiness: ${answer === null ? '' : `${headlineOfAnswer(answer)}, `}${figure}`;
  const groups = score === null ? UNJUDGED_PINS : pinGroupsOf(findings);
  const { width, height } = BADGE_SIZE;
  const { paper, line, soft, ink } = BADGE_COLOURS;
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <rect x=".5" y=".5" width={width - 1} height={height - 1} rx="6" fill={paper} stroke={line} />
      <g transform="translate(10 4.5) scale(0.8)" fill="none" stroke-width="3.6" stroke-linecap="round">
        {[...stripOf(groups).paths].map(([className, d]) => (
          <path key={className} {...BADGE_STROKES[className]} d={d} />
        ))}
      </g>
      <g font-family="Verdana,DejaVu Sans,sans-serif">
        {/* `textLength` fits any font. */}
        <text x="121" y="18.5" font-size="11" textLength="66" fill={soft}>
          agent-ready
        </text>
        <text x="218" y="19" text-anchor="end" font-size="13" font-weight="700" fill={ink}>
          {score ?? '–'}
        </text>
      </g>
    </svg>,
  );
}
