import { testInBrowser, visit } from '../support/browser.js';
import { startService } from '../support/service.js';

const WIDE = { viewport: { width: 1280, height: 800 } };

testInBrowser('long pages', async (t, browser) => {
  const { baseUrl: baseURL } = await startService(t);

  for (const path of ['/checks', '/docs/api', '/about', '/privacy', '/accuracy']) {
    await t.test(`${path} has its parts at the side, in sight wherever one reads`, (t) =>
      visit(t, browser, { baseURL, ...WIDE }, async (page) => {
        await page.goto(path);
        const links = page.locator('.contents a');
        t.ok((await links.count()) >= 2);
        await links.last().click();
        t.ok(await page.evaluate('scrollY > 0'), 'it leads there');
        t.ok(
          await page.evaluate('document.querySelector(".contents").getBoundingClientRect().top >= 0'),
          'and stays in sight',
        );
      }),
    );
  }
});
