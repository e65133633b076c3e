import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, Result } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds wrong on the page as it stands, with all its rules in the light theme, best practices included, and in the dark one,
 * which sets nothing but colours, with those of colours: one line for each violation.
 */
export async function findViolationsInBothThemes(page: Page): Promise<string[]> {
  // By the debugging protocol, so that the page's own policy for scripts need not let it in.
  await page.evaluate(SOURCE);
  const found: string[] = [];
  for (const [colorScheme, options] of [
    // The size of targets is the one rule that axe-core leaves out unless it is told.
    ['light', '{ rules: { "target-size": { enabled: true } } }'],
    ['dark', '{ runOnly: ["color-contrast", "link-in-text-block"] }'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    // Scripts that follow the theme are told of it before the next frame.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const { violations } = await page.evaluate<AxeResults>(`window.axe.run(${options})`);
    found.push(...violations.flatMap(describe).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

function describe({ id, nodes }: Result): string[] {
  return nodes.map(
    ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
  );
}
