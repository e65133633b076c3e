import type { Engine } from './engine.js';

/** What must be alike in all engines. */
export interface Look {
  readonly heightPx: number;
  /** How far the page reaches beyond its window. */
  readonly overflowPx: number;
  /** Of each heading, how its words fall into lines. */
  readonly headings: readonly (readonly string[])[];
  /** Links within text that show no line. */
  readonly bareLinks: readonly string[];
  /** The other links with a line, which they have in every engine. */
  readonly linedLinks: readonly string[];
}

const MEASURE = `(() => {
  const linesOf = (element) => {
    const lines = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let top = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { 0: word, index } of node.data.matchAll(/[^\\s]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const [box] = range.getClientRects();
        if (!box || box.width === 0) continue;
        if (top === null || Math.abs(box.top - top) > box.height / 2) lines.push([]);
        top = box.top;
        lines.at(-1).push(word);
      }
    }
    return lines.map((words) => words.join(' '));
  };
  const hasLine = (link) => {
    const { textDecorationLine, borderBottomStyle, borderBottomWidth } = getComputedStyle(link);
    return textDecorationLine.includes('underline') || (borderBottomStyle !== 'none' && borderBottomWidth !== '0px');
  };
  const isShown = (element) => element.getClientRects().length > 0;
  const links = [...document.querySelectorAll('a')].filter(isShown);
  const textsOf = (elements) => elements.map((element) => element.textContent.trim());
  const IN_TEXT = 'main :is(p, dd, td) a:not([class])';
  return {
    heightPx: document.documentElement.scrollHeight,
    overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    headings: [...document.querySelectorAll('h1, h2, h3')].filter(isShown).map(linesOf),
    bareLinks: textsOf(links.filter((link) => link.matches(IN_TEXT) && !hasLine(link))),
    linedLinks: textsOf(links.filter(hasLine)),
  };
})()`;

/** How the page that is open looks. The font is there first, and nothing moves. */
export async function lookAt(engine: Engine): Promise<Look> {
  await engine.evaluate<void>(
    'void document.fonts.ready.then(() => { document.documentElement.dataset.fonts = "ready"; })',
  );
  while (!(await engine.evaluate<boolean>('document.documentElement.dataset.fonts === "ready"')));
  await engine.evaluate<void>('void document.getAnimations().forEach((one) => one.cancel())');
  return engine.evaluate<Look>(MEASURE);
}

/** How much heights may differ: in long tables, one engine wraps a line more than another. */
const HEIGHT_SHARE_MAX = 0.03;

/** The looks of one page, by engine. */
export type Looks = ReadonlyMap<string, Look>;

/** The heights in words, by engine. */
export function heightsOf(looks: Looks): string {
  return [...looks].map(([name, { heightPx }]) => `${name} ${heightPx}`).join(', ');
}

/** What is not alike, in words; nothing where all is. */
export function differencesOf(page: string, looks: Looks): string[] {
  const heights = [...looks.values()].map(({ heightPx }) => heightPx);
  const least = Math.min(...heights);
  const isUneven = Math.max(...heights) - least > HEIGHT_SHARE_MAX * least;
  const [first, ...others] = looks;
  return [
    ...(isUneven ? [`${page}: not equally high: ${heightsOf(looks)} px`] : []),
    ...others.flatMap((other) => (first ? unlike(page, first, other) : [])),
  ];
}

function unlike(page: string, [firstName, first]: [string, Look], [name, look]: [string, Look]): string[] {
  const headings = Array.from({ length: Math.max(first.headings.length, look.headings.length) }, (_, index) =>
    [first, look].map((one) => one.headings[index]?.join(' / ') ?? 'none'),
  );
  const lined = new Set(look.linedLinks);
  return [
    ...headings
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => `${page}: the heading "${one}" in ${firstName} is "${other}" in ${name}`),
    ...first.linedLinks
      .filter((link) => !lined.has(link))
      .map((link) => `${page}: the link "${link}" has a line in ${firstName}, none in ${name}`),
  ];
}

/** What no engine may show, in words. */
export function faultsOf(page: string, name: string, { overflowPx, bareLinks }: Look): string[] {
  return [
    ...(overflowPx > 0 ? [`${page}: reaches ${overflowPx} px beyond its window in ${name}`] : []),
    ...bareLinks.map((link) => `${page}: the link "${link}" has no line in ${name}`),
  ];
}
