import { readFileSync } from 'node:fs';
import { CHECKS } from '../scanner/checks/index.js';
import { VARIABLES } from '../config.js';
import type { Check } from '../scanner/verdict/check.js';
import { documentedErrors } from '../platform/errors.js';
import { PILLARS } from '../scanner/verdict/vocabulary.js';

const PAGES = ['README.md', 'docs/checks.md', 'docs/api.md', 'docs/configuration.md'];

/** The generated sections, by the names in their markers. */
const SECTIONS: Readonly<Record<string, () => string>> = {
  checks: () =>
    table(
      ['check', 'pillar', 'passes when', 'a FAIL is one of'],
      (CHECKS as readonly Check[]).map(({ id, pillar, answer, errorTypes }) => [
        id,
        pillar ? `${pillar} ${PILLARS[pillar]}` : 'forward-looking, not scored',
        answer,
        errorTypes.join(', '),
      ]),
    ),
  variables: () =>
    table(
      ['variable', 'default', 'meaning'],
      Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => [
        `\`${name}\``,
        fallback === '' ? 'none' : `\`${fallback}\``,
        meaning,
      ]),
    ),
  run: exampleRun,
  errors: () =>
    table(
      ['status', 'error.code', 'error.message'],
      documentedErrors().map(({ code, statuses, message }) => [statuses, `\`${code}\``, message]),
    ),
};

const TEXT_CHARS_MAX = 48;

/** Returns the document's example of a completed run, with its first failure only. */
function exampleRun(): string {
  const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
    components: { examples: { CompletedRun: { value: { findings: readonly { result: string }[] } } } };
  };
  const { findings, ...run } = document.components.examples.CompletedRun.value;
  const shown = { ...run, findings: [findings.find(({ result }) => result === 'FAIL')] };
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > TEXT_CHARS_MAX ? `${value.slice(0, TEXT_CHARS_MAX).trimEnd()}…` : value;
  return ['```json', JSON.stringify(shown, shorten, 2), '```'].join('\n');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Replaces the generated sections of a page, between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function fillPage(text: string): string {
  return Object.entries(SECTIONS).reduce((filled, [name, section]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [filled.indexOf(start), filled.indexOf(end)];
    return to < from || from < 0 ? filled : `${filled.slice(0, from)}${start}\n\n${section()}\n\n${filled.slice(to)}`;
  }, text);
}

/** Returns the pages in the working folder that are out of date, with their new text. */
export function findStalePages(): { readonly page: string; readonly text: string }[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const filled = fillPage(text);
    return filled === text ? [] : [{ page, text: filled }];
  });
}
