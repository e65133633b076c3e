import { readFileSync, writeFileSync } from 'node:fs';
import { CHECKS } from '../scanner/checks/index.js';
import { VARIABLES } from '../config.js';
import type { Check } from '../scanner/findings/check.js';
import { ERRORS } from '../platform/errors.js';
import { PILLARS } from '../scanner/findings/vocabulary.js';

const README = 'README.md';

/** The parts of README.md that are made from the source, by the name in their markers. */
const SECTIONS: Readonly<Record<string, () => string>> = {
  checks: () =>
    table(
      ['check', 'pillar', 'passes when', 'a FAIL is one of'],
      (CHECKS as readonly Check[]).map(({ id, pillar, title, errorTypes }) => [
        id,
        pillar ? `${pillar} ${PILLARS[pillar]}` : 'forward-looking, not scored',
        title,
        errorTypes.join(', '),
      ]),
    ),
  variables: () =>
    table(
      ['variable', 'default', 'meaning'],
      Object.entries(VARIABLES).map(([name, { standard, meaning }]) => [
        `\`${name}\``,
        standard === '' ? 'none' : `\`${standard}\``,
        meaning,
      ]),
    ),
  errors: () =>
    table(
      ['status', 'error.code', 'error.message'],
      Object.entries(ERRORS).map(([code, { status, message }]) => [String(status), `\`${code}\``, message]),
    ),
};

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** README with its generated parts made anew: what stands between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function fillReadme(text: string): string {
  return Object.entries(SECTIONS).reduce((filled, [name, section]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [filled.indexOf(start), filled.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${README} lacks the markers ${start} and ${end}.`);
    return `${filled.slice(0, from)}${start}\n\n${section()}\n\n${filled.slice(to)}`;
  }, text);
}

/** Fills the README of the working folder. */
export function writeReadme(): void {
  const text = readFileSync(README, 'utf8');
  const filled = fillReadme(text);
  if (filled !== text) writeFileSync(README, filled);
}
