import type { SVGAttributes } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { headlineOfAnswer } from '../../scanner/report/answer.js';
import { pinGroupsOf, UNJUDGED_PINS } from '../../scanner/report/pins.js';
import { stripOf } from '../html/pins.js';
import type { Badge } from '../../app/publications/publications.js';

export const BADGE_SIZE = { width: 226, height: 28 };

/**
 * Colours of the light theme, since a badge has its own background. The contrast to it is at least 3:1 for graphics
 * (WCAG 2.2, 1.4.11) and 4.5:1 for text (1.4.3).
 */
const BADGE_COLOURS = { background: '#fffefb', border: '#e3dfd4', muted: '#565b60', text: '#15181b' };

const FAINT = { stroke: '#8a867a', 'stroke-width': 1.8 };

/** Strokes by the CSS class of a pin. An image cannot use the page's style sheet. */
const BADGE_STROKES: Readonly<Record<string, SVGAttributes<SVGPathElement>>> = {
  p: { stroke: '#0d7a54' },
  f: { stroke: '#c2301b' },
  u: { stroke: '#875800', 'stroke-dasharray': '0.1 6' },
  n: { stroke: '#8a867a', 'stroke-width': 2.6 },
  q: FAINT,
  k: FAINT,
  e: FAINT,
};

/** Returns the badge as SVG: the pins of the run and its score. Without a score, all pins are undetermined. */
export function drawBadge({ score, findings, answer }: Badge): string {
  const scoreText = score === null ? 'no score' : `${score} of 100`;
  const label = `Agent readiness: ${answer === null ? '' : `${headlineOfAnswer(answer)}, `}${scoreText}`;
  const groups = score === null ? UNJUDGED_PINS : pinGroupsOf(findings);
  const { width, height } = BADGE_SIZE;
  const { background, border, muted, text } = BADGE_COLOURS;
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect x=".5" y=".5" width={width - 1} height={height - 1} rx="6" fill={background} stroke={border} />
      <g transform="translate(10 4.5) scale(0.8)" fill="none" stroke-width="3.6" stroke-linecap="round">
        {[...stripOf(groups).paths].map(([className, d]) => (
          <path key={className} {...BADGE_STROKES[className]} d={d} />
        ))}
      </g>
      <g font-family="Verdana,DejaVu Sans,sans-serif">
        {/* `textLength` keeps the width the same in every font. */}
        <text x="121" y="18.5" font-size="11" textLength="66" fill={muted}>
          agent-ready
        </text>
        <text x="218" y="19" text-anchor="end" font-size="13" font-weight="700" fill={text}>
          {score ?? '–'}
        </text>
      </g>
    </svg>,
  );
}
