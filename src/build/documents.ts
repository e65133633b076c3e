import { readFileSync } from 'node:fs';
import { CHECKS } from '../scanner/checks/index.js';
import { VARIABLES } from '../config.js';
import type { Check } from '../scanner/verdict/check.js';
import { documentedErrors } from '../platform/errors.js';
import { mapFeatures } from './feature-map.js';
import { PILLARS } from '../scanner/verdict/vocabulary.js';

/** Pages with sections that are generated from the source. */
const PAGES = ['docs/checks.md', 'docs/architecture.md', 'docs/errors.md', 'docs/configuration.md'];

const FEATURE_ROWS = await mapFeatures();

/** The generated sections, by the name in their markers. */
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
  features: () => table(['feature', 'tables', 'pages', 'jobs', 'metrics (`agent_readiness_…`)'], FEATURE_ROWS),
  errors: () =>
    table(
      ['status', 'error.code', 'error.message'],
      documentedErrors().map(({ code, statuses, message }) => [statuses, `\`${code}\``, message]),
    ),
};

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The page with its generated sections (between `<!-- NAME -->` and `<!-- /NAME -->`) replaced by current ones. */
export function fillPage(text: string): string {
  return Object.entries(SECTIONS).reduce((filled, [name, section]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [filled.indexOf(start), filled.indexOf(end)];
    return to < from || from < 0 ? filled : `${filled.slice(0, from)}${start}\n\n${section()}\n\n${filled.slice(to)}`;
  }, text);
}

/** The pages in the working folder that are out of date, with their current text. */
export function findStalePages(): { readonly page: string; readonly text: string }[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const filled = fillPage(text);
    return filled === text ? [] : [{ page, text: filled }];
  });
}
