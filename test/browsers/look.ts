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
  return {
    heightPx: document.documentElement.scrollHeight,
    overflowPx: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    headings: [...document.querySelectorAll('h1, h2, h3')].filter(isShown).map(linesOf),
    bareLinks: [...document.querySelectorAll('main p a:not([class])')].filter(isShown).filter((link) => !hasLine(link)).map((link) => link.textContent.trim()),
  };
})()`;

/** How the page that is open looks. The font is there first. */
export async function lookAt(engine: Engine): Promise<Look> {
  await engine.evaluate<void>(
    'void document.fonts.ready.then(() => { document.documentElement.dataset.fonts = "ready"; })',
  );
  while (!(await engine.evaluate<boolean>('document.documentElement.dataset.fonts === "ready"')));
  return engine.evaluate<Look>(MEASURE);
}

/** How much two heights may differ. */
const HEIGHT_SHARE_MAX = 0.02;

/** What is not alike, in words; nothing where all is. */
export function differencesOf(
  page: string,
  [firstName, first]: [string, Look],
  [name, look]: [string, Look],
): string[] {
  const faults: string[] = [];
  const share = Math.abs(look.heightPx - first.heightPx) / first.heightPx;
  if (share > HEIGHT_SHARE_MAX)
    faults.push(`${page}: ${look.heightPx} px high in ${name}, ${first.heightPx} in ${firstName}`);
  for (const [index, lines] of first.headings.entries()) {
    const others = look.headings[index] ?? [];
    if (lines.join('|') === others.join('|')) continue;
    faults.push(`${page}: the heading "${lines.join(' / ')}" is "${others.join(' / ')}" in ${name}`);
  }
  return faults;
}

/** What no engine may show, in words. */
export function faultsOf(page: string, name: string, { overflowPx, bareLinks }: Look): string[] {
  return [
    ...(overflowPx > 0 ? [`${page}: reaches ${overflowPx} px beyond its window in ${name}`] : []),
    ...bareLinks.map((link) => `${page}: the link "${link}" has no line in ${name}`),
  ];
}
