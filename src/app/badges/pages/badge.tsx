import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

const LABEL = 'agent readiness';
const HEIGHT = 20;
const PADDING = 6;

/** Under white letters each has a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3). */
export const BADGE_COLOURS = { label: '#444d56', good: '#17694e', fair: '#7a5200', poor: '#b3261e', none: '#57606a' };

/** From which score on a badge is of this colour. */
const GOOD_FROM = 90;
const FAIR_FROM = 50;

/** What is shown of a score: null is not zero. */
export function badgeValueOf(score: number | null): string {
  return score === null ? 'n/a' : String(score);
}

/** The badge as an SVG document: the latest score alongside what it is a score of. */
export function drawBadge(score: number | null): string {
  return renderToString(<Badge value={badgeValueOf(score)} colour={colourOf(score)} />);
}

function colourOf(score: number | null): string {
  if (score === null) return BADGE_COLOURS.none;
  if (score >= GOOD_FROM) return BADGE_COLOURS.good;
  return score >= FAIR_FROM ? BADGE_COLOURS.fair : BADGE_COLOURS.poor;
}

function Badge({ value, colour }: { readonly value: string; readonly colour: string }): JSX.Element {
  const labelWidth = widthOf(LABEL) + 2 * PADDING;
  const valueWidth = widthOf(value) + 2 * PADDING;
  const width = labelWidth + valueWidth;
  const words = `${LABEL}: ${value}`;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <rect width={width} height={HEIGHT} rx="3" fill={colour} />
      <path d={leftPart(labelWidth)} fill={BADGE_COLOURS.label} />
      <g fill="#fff" font-family="Verdana, Geneva, DejaVu Sans, sans-serif" font-size="11">
        <Words text={LABEL} x={PADDING} />
        <Words text={value} x={labelWidth + PADDING} />
      </g>
    </svg>
  );
}

/** The text is fitted to its calculated width, whichever font is installed. */
function Words({ text, x }: { readonly text: string; readonly x: number }): JSX.Element {
  return (
    <text x={x} y="14" textLength={widthOf(text)}>
      {text}
    </text>
  );
}

/** Round where the badge is, straight where the value begins. */
function leftPart(width: number): string {
  return `M3 0H${width}V${HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`;
}

/** How wide the letters of Verdana are at 11 px, in tenths of a pixel; those that are not named are like most. */
const LETTER_TENTHS: Readonly<Record<string, number>> = { ' ': 39, '/': 50, i: 30, r: 47, s: 57, t: 43 };
const MOST_TENTHS = 68;

function widthOf(text: string): number {
  const tenths = Array.from(text, (letter) => LETTER_TENTHS[letter] ?? MOST_TENTHS);
  return Math.ceil(tenths.reduce((sum, one) => sum + one, 0) / 10);
}
