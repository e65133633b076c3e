import type { Browser, BrowserContext } from 'playwright-core';

/** A password that is long enough. */
export const PASSWORD = 'four words that rhyme with nothing';

/** Uses a one-time link as a person does; resolves with the cookies of the session. */
export async function signInByLink(
  browser: Browser,
  signInUrl: string,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(signInUrl);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.waitForURL('**/sites');
    return await context.storageState();
  } finally {
    await context.close();
  }
}
