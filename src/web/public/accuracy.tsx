import { readFileSync } from 'node:fs';
import type { JSX } from 'preact';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import type { PageText } from './page-text.js';

/** What `make accuracy` wrote into docs/accuracy.md, as the build stores it. */
const ACCURACY = readFileSync(new URL('../../../generated/accuracy.md', import.meta.url), 'utf8');

/** What follows is for contributors. */
const FOR_CONTRIBUTORS = '\n## How this page is made\n';

/** The measured accuracy of the checks, without links that only work in a checkout. */
export function accuracyText(): PageText {
  const [, lead = '', ...rest] = (ACCURACY.split(FOR_CONTRIBUTORS)[0] ?? '').trim().split('\n\n');
  const body = rest.join('\n\n').replace(/\[([^[\]]+)\]\(\.\.?\/[^()]*\)/g, '$1');
  return { heading: 'Accuracy', lead, body };
}

/** The share of independent cases that are right, from the last row of the first table: `| all | 1912 | 1901 | …`. */
export function AccuracyFigure({ body }: Pick<PageText, 'body'>): JSX.Element {
  const sums = (/^\| all .*$/m.exec(body)?.[0] ?? '').split('|').slice(2).map(Number);
  const [judged = 0, right = 0, alarms = 0, missed = 0] = sums;
  return (
    <p class="score">
      <b class="num">
        {percentOf(judged, right)}
        <small>%</small>
      </b>
      <span>
        <span class="soft">
          right: {formatCount(right)} of {formatCount(judged)} independent cases
        </span>
        <strong>
          {countOf(alarms, 'false alarm')}, {missed} missed
        </strong>
      </span>
    </p>
  );
}

/** `99.4`: to the nearest tenth, but 100 only if all are right. */
function percentOf(judged: number, right: number): string {
  const tenths = Math.round((right / judged) * 1000);
  return (Math.min(tenths, right === judged ? 1000 : 999) / 10).toFixed(1);
}
