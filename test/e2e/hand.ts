import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { overflowOf } from '../support/browser.js';

export interface Hand {
  press(target: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
}

export function pointer(): Hand {
  return {
    press: (target) => target.click(),
    fill: (field, text) => field.fill(text),
  };
}

/** Expects that each page fits the width of its window before it is used. */
export function thumb(t: Test, page: Page): Hand {
  const expectFit = async (target: Locator): Promise<void> => {
    await target.waitFor();
    t.equal(await overflowOf(page), 0, `${new URL(page.url()).pathname} fits in 360 px`);
  };
  return {
    press: async (target) => {
      await expectFit(target);
      await target.click();
    },
    fill: async (field, text) => {
      await expectFit(field);
      await field.fill(text);
    },
  };
}

/** How often Tab may be pressed to reach a target, and on the whole journey: a few more than it takes. */
const STOPS_MAX = { target: 60, journey: 500 };

/** Presses Tab until the target has the focus, then uses keys. Each element that gets the focus on the way must show it. */
export function keyboard(_t: Test, page: Page): Hand {
  let stops = 0;
  const reach = async (target: Locator): Promise<void> => {
    for (let step = 0; step <= STOPS_MAX.target && stops <= STOPS_MAX.journey; step += 1, stops += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
      const unseen = await page.evaluate<string | null>(FOCUS_UNSEEN);
      if (unseen !== null) throw new Error(`the focus cannot be seen on ${unseen}`);
    }
    throw new Error(`${stops} steps of Tab so far do not lead to ${String(target)}`);
  };
  return {
    press: async (target) => {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    fill: async (field, text) => {
      await reach(field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
  };
}

/**
 * Runs in the page: returns the focused element if it has no outline or no size, else null. A tab shows the focus by its label, a field with
 * a button inside by the frame around both.
 */
const FOCUS_UNSEEN = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return null;
  const shown = focused.matches('.site-field > input') ? focused.parentElement : focused.matches('.tabs > input') && focused.labels[0];
  const element = shown || focused;
  const { outlineStyle } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  return outlineStyle !== 'none' && width > 1 && height > 1 ? null : element.outerHTML.slice(0, 120);
})()`;
