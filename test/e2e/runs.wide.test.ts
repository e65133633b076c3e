import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Test } from 'tap';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { cLlms03 } from '../../src/scanner/checks/c-llms-03.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Result } from '../../src/scanner/verdict/vocabulary.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { addSite, scanReport } from '../support/accounts.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { overflowOf, testInBrowser } from '../support/browser.js';
import { findingFrom } from '../support/findings.js';
import { startWeb } from '../support/web.js';

const LETTERS: Readonly<Record<string, Result>> = { p: 'PASS', f: 'FAIL', u: 'UNDETERMINED', n: 'NOT_APPLICABLE' };

/** A run by one letter a check, in the registry's order. */
function findingsOf(letters: string): Finding[] {
  return CHECKS.map((check, index) => findingFrom(check, { result: LETTERS[letters[index] ?? ''] ?? 'PASS' }));
}

/** A browser in which the holder of a site with these runs is signed in. */
async function prepare(t: Test, browser: Browser, runs: readonly string[], options: BrowserContextOptions = {}) {
  const url = `sqlite:${join(t.testdir(), 'test.db')}`;
  await migrateDatabase(url);
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  let findings: readonly Finding[] = [];
  const web = await startWeb(t, db, { scan: async () => ({ ...scanReport(scoreOf(findings)), findings }) });
  const member = await web.newMember();
  const { id: siteId } = await addSite(db, member.account.id);
  for (const letters of runs) {
    findings = findingsOf(letters);
    await web.runs.start({ accountId: member.account.id, siteId, trigger: 'SCHEDULED' });
  }
  const context = await browser.newContext({
    ...options,
    baseURL: `http://127.0.0.1:${web.port}`,
    extraHTTPHeaders: { cookie: member.cookie ?? '' },
  });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const rowOf = async (number: number) =>
    (await page
      .getByRole('row', { name: `Run ${number}`, exact: false })
      .filter({ hasText: `Run ${number}` })
      .first()
      .textContent()) ?? '';
  return { page, path: `/sites/${siteId}`, rowOf };
}

const ALL = 'p'.repeat(CHECKS.length);
const DOWN = 'u'.repeat(CHECKS.length);
/** llms.txt fails, and what reads it does not apply. */
const NO_LLMS = `fnnn${ALL.slice(4)}`;
/** It is there, and one of its links is dead. */
const DEAD_LINK = `ppfp${ALL.slice(4)}`;
/** robots.txt shuts agents out. */
/** The button that compares the runs that are picked. */
const COMPARE = 'form[action$="/compare"] button';

const SHUT = `ppppppf${ALL.slice(7)}`;

testInBrowser('after an outage the old failures are not new', async (t, browser) => {
  const { page, path, rowOf } = await prepare(t, browser, [DEAD_LINK, DOWN, DEAD_LINK]);
  await page.goto(`${path}/runs`);
  t.notMatch(await rowOf(3), 'Broke');
  t.match(await rowOf(2), 'No score');
  for (const number of [3, 1]) await page.getByRole('checkbox', { name: `Pick run ${number}` }).check();
  await page.locator(COMPARE).click();
  await page.waitForURL('**/compare?run=3&run=1');
  await page.getByRole('heading', { name: /^Nothing\b/, level: 1 }).waitFor();
  await page.goto(`${path}/compare?from=2&to=3`);
  await page
    .getByText(/\bRun 2\b.*\bRun 1,/)
    .first()
    .waitFor();
  t.match(await page.getByRole('heading', { level: 1 }).textContent(), /^Nothing\b/);
});

testInBrowser('a fix that brings a failure into view breaks nothing', async (t, browser) => {
  const { page, path, rowOf } = await prepare(t, browser, [NO_LLMS, DEAD_LINK]);
  await page.goto(`${path}/runs`);
  const row = await rowOf(2);
  t.match(row, 'Newly checked: llms.txt links');
  t.match(row, 'Fixed: llms.txt');
  t.notMatch(row, 'Broke');
  t.equal(await page.locator('.chart .dot-f').count(), 0, 'no dot says that it got worse');
  await page.goto(`${path}/compare?from=1&to=2`);
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), '1 fixed, 1 newly checked');
  t.equal(await page.getByRole('heading', { name: /^Broke/ }).count(), 0);
  await page.getByRole('heading', { name: /^Newly checked/ }).waitFor();
});

testInBrowser('any two runs are picked and compared without script, with what fails in both', async (t, browser) => {
  const runs = [NO_LLMS, DEAD_LINK, ALL, SHUT, ALL];
  const { page, path } = await prepare(t, browser, runs, { javaScriptEnabled: false });
  await page.goto(`${path}/runs`);
  const compare = page.locator(COMPARE);
  await page.getByRole('checkbox', { name: 'Pick run 4' }).check();
  await compare.click();
  await page.getByRole('link', { name: /^Tick two/ }).click();
  for (const number of [4, 2]) await page.getByRole('checkbox', { name: `Pick run ${number}` }).check();
  await compare.click();
  await page.waitForURL('**/compare?run=4&run=2');
  t.equal(await page.getByRole('heading', { level: 1 }).textContent(), '1 new failure, 1 fixed');
});

testInBrowser('the comparison says what still fails, and since when', async (t, browser) => {
  const { page, path } = await prepare(t, browser, [DEAD_LINK, DEAD_LINK, `ppfpppf${ALL.slice(7)}`]);
  await page.goto(`${path}/compare?from=2&to=3`);
  const still = page.locator('section', { has: page.getByRole('heading', { name: /^Still failing/ }) });
  t.match(await still.textContent(), `${cLlms03.failures.DEAD_LINK?.headline}`);
  t.match(await still.textContent(), /since run 1\b/);
  for (const address of [`${path}/runs`, `${path}/compare?from=2&to=3`, `${path}/compare?from=9&to=3`]) {
    await page.goto(address);
    t.same(await findViolationsInBothThemes(page), [], address);
    for (const width of [320, 768, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      t.equal(await overflowOf(page), 0, `${address} at ${width}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    const hidden = await page.locator('.top nav').evaluate((nav) => nav.scrollWidth - nav.clientWidth);
    t.equal(hidden, 0, `${address} has its whole navigation in sight`);
  }
});
