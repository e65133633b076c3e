import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { overflowOf, testInBrowser, visit } from '../support/browser.js';
import { NARROW } from '../support/chromium.js';
import { startService } from '../support/service.js';
import { type Hand, keyboard, POINTER } from './hand.js';
import { goAllTheWay } from './journey.js';
import { startOwnSite } from '../support/own-site.js';

interface Way {
  readonly options?: BrowserContextOptions;
  readonly handOf?: (page: Page) => Hand;
  readonly check?: (t: Test, page: Page) => Promise<void>;
}

/** The same journey, in each of the ways in which people go it. */
const WAYS: Readonly<Record<string, Way>> = {
  'with a mouse': {},
  'without script': { options: { javaScriptEnabled: false } },
  'by keyboard alone': { handOf: keyboard },
  'on a narrow phone': {
    options: { ...NARROW, hasTouch: true },
    check: async (t, page) => {
      t.equal(await overflowOf(page), 0, `${new URL(page.url()).pathname} fits in 360 px`);
    },
  },
};

testInBrowser('sign in, add, verify, run, read, compare, use a key, sign out', async (t, browser) => {
  const ways = await Promise.all(Object.entries(WAYS).map(async (way) => [...way, await startOwnSite(t)] as const));
  const service = await startService(t, { scanPorts: ways.map(([, , { port }]) => port) });
  for (const [name, { options, handOf, check }, site] of ways) {
    await t.test(name, (t) =>
      visit(t, browser, { ...options, baseURL: service.baseUrl }, async (page) => {
        const email = `${name.replaceAll(' ', '.')}@example.com`;
        const onPage = async (): Promise<void> => check?.(t, page);
        await goAllTheWay({ t, page, hand: handOf?.(page) ?? POINTER, service, site, email, onPage });
      }),
    );
  }
});
