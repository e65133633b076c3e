import type { Browser, BrowserContext } from 'playwright-core';
import { BROWSER_PASSWORD } from './passwords.js';

/** A password that is long enough. */
export const PASSWORD = BROWSER_PASSWORD;

/** Uses a one-time link as a person does, and sets a password unless none is given; resolves with the cookies of the session. */
export async function signInByLink(
  browser: Browser,
  signInUrl: string,
  password: string | null = PASSWORD,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(signInUrl);
    if (password !== null) await page.getByLabel('Password').fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sites');
    return await context.storageState();
  } finally {
    await context.close();
  }
}
