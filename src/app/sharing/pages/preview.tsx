import { domainToUnicode } from 'node:url';
import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { countOf } from '../../../platform/counts.js';
import { pinGroupsOf } from '../../../scanner/report/pins.js';
import { stripOf } from '../../../web/kit/components/pins.js';
import { PRODUCT } from '../../../web/kit/page.js';
import { PREVIEW_SIZE } from '../../../web/kit/page-meta.js';
import { BADGE_STROKES } from '../../badges/pages/badge.js';
import type { SharedReport } from '../shared-report.js';
import { formatDay } from '../../../web/kit/format.js';

const MARGIN = 80;
const NAME_WIDTH = PREVIEW_SIZE.width - 2 * MARGIN;

/** Names longer than `large` are set smaller, longer than `chars` cut at their beginning: the registered domain stays. */
const NAME = { large: 34, chars: 44, px: 44, smallPx: 34 };

/** The advance of a letter of the font in em, rounded up; the wide ones are named. */
const ADVANCE = { other: 0.58, m: 0.84, w: 0.76 };

/** What the font of names has a glyph for: hanken-grotesk-600.ttf. */
const DRAWN = /^[\x21-\x7e\xa1-\xff\u0131\u0152\u0153]*$/;

/** The preview of a shared report as an SVG document. It says what the report says at a glance, and nothing else. */
export function drawPreview(report: SharedReport): string {
  return renderToString(<Drawing {...report} />);
}

function Drawing({ hostname, score, finishedAt, findings }: SharedReport): JSX.Element {
  const { width, height } = PREVIEW_SIZE;
  const name = nameOf(hostname);
  return (
    <svg xmlns="http://www.w3.org/2000/svg" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <rect width={width} height={height} fill="#faf9f5" />
      <g font-family="Hanken Grotesk" fill="#15181b">
        <text x={MARGIN} y="108" font-size={name.px} font-weight="600" letter-spacing="-.5">
          {name.text}
        </text>
        <text x={width - MARGIN} y="600" text-anchor="end" font-size="22" fill="#565b60">
          {PRODUCT}, {formatDay(finishedAt, '')}
        </text>
        {score === null ? <NoScore /> : <Score score={score} findings={findings} />}
      </g>
      <g transform="translate(80 376) scale(8.125)" fill="none" stroke-width="3.6" stroke-linecap="round">
        <path stroke="#d4d0c4" stroke-width=".35" stroke-linecap="butt" d="M0 19.3h128" />
        {[...stripOf(pinGroupsOf(findings)).paths].map(([className, d]) => (
          <path key={className} {...BADGE_STROKES[className]} d={d} />
        ))}
      </g>
    </svg>
  );
}

/** The width of a figure, and what is free next to it. */
const FIGURE = { x: 70, width: 120, gap: 44 };

function Score({ score, findings }: Pick<SharedReport, 'findings'> & { readonly score: number }): JSX.Element {
  const x = FIGURE.x + FIGURE.width * String(score).length + FIGURE.gap;
  return (
    <>
      <text x={FIGURE.x} y="322" font-size="226" font-weight="700" letter-spacing="-13">
        {score}
      </text>
      <text x={x} y="264" font-size="32" fill="#565b60">
        of 100
      </text>
      <text x={x} y="318" font-size="54" font-weight="600" letter-spacing="-1.5">
        {describeLeft(findings)}
      </text>
    </>
  );
}

function NoScore(): JSX.Element {
  return (
    <>
      <text x="76" y="322" font-size="120" font-weight="700" letter-spacing="-5">
        No score
      </text>
      <text x="600" y="264" font-size="32" fill="#565b60">
        which is not zero
      </text>
      <text x="600" y="318" font-size="40" font-weight="600" letter-spacing="-1">
        Nothing could be judged
      </text>
    </>
  );
}

function describeLeft(findings: SharedReport['findings']): string {
  const countScored = (wanted: string) => findings.filter(({ scored, result }) => scored && result === wanted).length;
  const [failed, open] = [countScored('FAIL'), countScored('UNDETERMINED')];
  if (failed > 0) return `${countOf(failed, 'thing')} to fix`;
  return open > 0 ? `${countOf(open, 'check')} undetermined` : 'Nothing to fix';
}

/** In Unicode where the font can draw it. */
function nameOf(hostname: string): { readonly text: string; readonly px: number } {
  const unicode = hostname.replace(/^[^:[\]]+/, (host) => domainToUnicode(host) || host);
  const name = DRAWN.test(unicode) ? unicode : hostname;
  const isLarge = name.length <= NAME.large && widthOf(name) * NAME.px <= NAME_WIDTH;
  if (isLarge) return { text: name, px: NAME.px };
  const px = NAME.smallPx;
  if (fits(name)) return { text: name, px };
  for (let from = 1; ; from += 1) {
    const text = `…${name.slice(from)}`;
    if (fits(text)) return { text, px };
  }
}

function fits(name: string): boolean {
  return name.length <= NAME.chars && widthOf(name) * NAME.smallPx <= NAME_WIDTH;
}

/** In em. */
function widthOf(name: string): number {
  const [m, w] = ['m', 'w'].map((letter) => name.split(letter).length - 1) as [number, number];
  return m * ADVANCE.m + w * ADVANCE.w + (name.length - m - w) * ADVANCE.other;
}
