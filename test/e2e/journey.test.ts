import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { overflowOf, testInBrowser, visit } from '../support/browser.js';
import { NARROW } from '../support/chromium.js';
import { startService } from '../support/service.js';
import { keyboard, POINTER } from './hand.js';
import { goAllTheWay } from './journey.js';
import { startOwnSite } from '../support/own-site.js';

interface Way {
  readonly options?: BrowserContextOptions;
  readonly isByKeyboard?: boolean;
  readonly check?: (t: Test, page: Page) => Promise<void>;
}

/** The same journey, in each of the ways in which people go it. */
const WAYS: Readonly<Record<string, Way>> = {
  'with a mouse': {},
  'without script, by keyboard': { options: { javaScriptEnabled: false }, isByKeyboard: true },
  'by keyboard alone': { isByKeyboard: true },
  'on a narrow phone': {
    options: { ...NARROW, hasTouch: true },
    check: async (t, page) => {
      t.equal(await overflowOf(page), 0, `${new URL(page.url()).pathname} fits in 360 px`);
    },
  },
};

/** Some more than there are: of the whole way, and to what lies farthest away. */
const STOPS_MAX = { all: 500, most: 60 };

testInBrowser(
  'sign in, add, verify, run, read, fix, check again, compare, share, use a key, sign out',
  async (t, browser) => {
    const ways = await Promise.all(Object.entries(WAYS).map(async (way) => [...way, await startOwnSite(t)] as const));
    const service = await startService(t, { scanPorts: ways.map(([, , { port }]) => port) });
    for (const [name, { options, isByKeyboard = false, check }, site] of ways) {
      await t.test(name, (t) =>
        visit(t, browser, { ...options, baseURL: service.baseUrl }, async (page) => {
          const email = `${name.replaceAll(/\W+/g, '.')}@example.com`;
          const onPage = async (): Promise<void> => check?.(t, page);
          const keys = isByKeyboard ? keyboard(page) : null;
          await goAllTheWay({ t, page, hand: keys ?? POINTER, service, site, email, onPage });
          for (const [what, count] of Object.entries(keys?.stops ?? {})) {
            t.ok(count <= STOPS_MAX[what as keyof typeof STOPS_MAX], `stops of Tab, ${what}: ${count}`);
          }
        }),
      );
    }
  },
);
