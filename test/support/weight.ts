import type { Page } from 'playwright-core';

/** Limits of what a page weighs, unpacked. */
export const HTML_BYTES_MAX = 60_000;
export const STYLE_BYTES_MAX = 32_768;
export const SCRIPT_BYTES_MAX = 20_000;

export interface Weight {
  readonly htmlBytes: number;
  /** Of what a screen is drawn by: sheets for paper and for forced colours are never needed at the same time. */
  readonly styleBytes: number;
  readonly scriptBytes: number;
  /** Everything that came over the wire, packed as it came. */
  readonly transferBytes: number;
}

/** What the page that is open weighs. */
export function measure(page: Page): Promise<Weight> {
  return page.evaluate<Weight>(MEASURE);
}

const MEASURE = `(() => {
  const [document] = performance.getEntriesByType('navigation');
  const parts = performance.getEntriesByType('resource').map((entry) => ({ entry, path: new URL(entry.name).pathname }));
  const sum = (entries, of) => entries.reduce((total, entry) => total + entry[of], 0);
  const own = (extension) =>
    parts.filter(({ path }) => path.endsWith(extension)).map(({ entry }) => entry);
  return {
    htmlBytes: document.decodedBodySize,
    styleBytes: sum(own('.css').filter(({ name }) => !/\\/(?:print|contrast)\\.css/.test(name)), 'decodedBodySize'),
    scriptBytes: sum(own('.js'), 'decodedBodySize'),
    transferBytes: document.transferSize + sum(parts.map(({ entry }) => entry), 'transferSize'),
  };
})()`;
