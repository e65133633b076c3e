import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = {
  /** Best practices included. The size of targets is the one rule that axe-core leaves out unless it is told. */
  all: 'rules: { "target-size": { enabled: true } }',
  colours: 'runOnly: ["color-contrast", "link-in-text-block"]',
} as const;

type Theme = 'light' | 'dark';

/**
 * What axe-core finds wrong on the page as it stands, with all its rules in the light theme, and in the dark one, which sets nothing but
 * colours, with those of colours: one line for each violation.
 */
export async function findViolationsInBothThemes(page: Page): Promise<string[]> {
  return [...(await findViolations(page, 'light')), ...(await findViolations(page, 'dark', 'colours'))];
}

/** The same in one theme, with these rules. */
export async function findViolations(
  page: Page,
  colorScheme: Theme,
  rules: keyof typeof RULES = 'all',
): Promise<string[]> {
  // By the debugging protocol, so that the page's own policy for scripts need not let it in.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE);
  await page.emulateMedia({ colorScheme });
  // Scripts that follow the theme are told of it before the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  // What passes is neither described nor sent: that is a good part of the work.
  const run = `window.axe.run({ resultTypes: ["violations"], ${RULES[rules]} }).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeResults['violations']>(run);
  return violations.flatMap(describe).map((violation) => `${colorScheme}: ${violation}`);
}

function describe({ id, nodes }: Result): string[] {
  return nodes.map(
    ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
  );
}
