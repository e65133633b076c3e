import type { Test } from 'tap';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { outcomeOf } from './expect-findings.js';

/** A document in schema.org's terms; several are several blocks. */
export type Block = string | object;

/** What a visitor reads on every page of these tests: enough text to be compared. */
export const PROSE =
  'Our bakery has sold sourdough bread and butter cakes at the old market since the year 1921. '.repeat(4);

export const scriptOf = (block: Block) =>
  `<script type="application/ld+json">${
    typeof block === 'string' ? block : JSON.stringify({ '@context': 'https://schema.org', ...block })
  }</script>`;

export function pageOf(blocks: readonly Block[], { head = '', body = `<p>${PROSE}</p>` } = {}): string {
  return `<!doctype html><html lang="en"><head><title>Bakery Crumb</title>${head}${blocks.map(scriptOf).join('')}</head><body>${body}</body></html>`;
}

export const judgeSite = (check: Check, home: FixtureRoute, routes: Record<string, FixtureRoute> = {}) =>
  findingOf(check, { routes: { '/': home, ...routes } });

/** Result, error type and detail of a home page with these blocks. */
export const judge = (check: Check, ...blocks: Block[]) => judgeSite(check, pageOf(blocks));

/** Pages with one of these blocks each. */
export const each = (...blocks: Block[]) => blocks.map((block) => [block]);

/** Judges home pages, each with these blocks. */
export async function expectBlocks(
  t: Test,
  check: Check,
  outcome: string,
  pages: readonly (readonly Block[])[],
  says: RegExp | string = '',
): Promise<void> {
  for (const blocks of pages) {
    const finding = await judge(check, ...blocks);
    const name = JSON.stringify(blocks).slice(0, 200);
    t.equal(outcomeOf(finding), outcome, `${name}: ${finding.detail}`);
    if (says !== '') t.match(finding.detail ?? '', says, name);
  }
}

export const ORGANIZATION = {
  '@type': 'Organization',
  name: 'Bakery Crumb',
  url: 'https://www.fixture-site.com/',
  logo: '/logo.png',
};
