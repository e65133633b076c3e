import type { Locator, Page } from 'playwright-core';

/** How a person uses a page. */
export interface Hand {
  /** A button or a link. */
  press(target: Locator): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
}

/** By mouse, or by touch. */
export const POINTER: Hand = {
  press: (target) => target.click(),
  fill: (field, text) => field.fill(text),
};

/** More steps than any page has things to stop at. */
const STEPS_MAX = 150;

export interface Keyboard extends Hand {
  /** How often Tab was pressed so far, and how often for what lay farthest away. */
  readonly stops: { all: number; most: number };
}

/** By keyboard alone: Tab until the focus is there, then keys. Whatever has the focus on the way has to show it. */
export function keyboard(page: Page): Keyboard {
  const stops = { all: 0, most: 0 };
  const reach = async (target: Locator): Promise<void> => {
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
      stops.all += 1;
      stops.most = Math.max(stops.most, step + 1);
      const unseen = await page.evaluate<string | null>(FOCUS_UNSEEN);
      if (unseen !== null) throw new Error(`the focus cannot be seen on ${unseen}`);
    }
    throw new Error(`${STEPS_MAX} steps of Tab do not lead to ${String(target)}`);
  };
  return {
    stops,
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
 * In the page: the element that has the focus without an outline or without a size; null where all is well. A tab shows it by its label, a
 * field with its button in it by the frame around both.
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
