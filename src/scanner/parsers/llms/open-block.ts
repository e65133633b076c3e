import type { Nodes, Root } from 'mdast';
import type { OpenBlock } from './markdown-segments.js';

/** The end of raw HTML by its start (CommonMark 0.31 §4.6, conditions 1 to 5); every other kind ends at a blank line. */
const HTML_ENDS: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

/** The block that a parsed segment leaves open: fenced code without its closing fence, or raw HTML before its end. */
export function findOpenBlock(root: Root, text: string): OpenBlock | null {
  let node: Nodes = root;
  let depth = 0;
  for (let last: Nodes | undefined = root; last; last = 'children' in last ? last.children.at(-1) : undefined) {
    node = last;
    depth += 1;
  }
  const { start, end } = node.position ?? {};
  if (start?.offset === undefined || end?.offset === undefined || text.slice(end.offset).trim() !== '') return null;
  const source = text.slice(start.offset, end.offset);
  if (node.type === 'code') return findOpenFence(source, depth > 2 ? start.column - 1 : 0);
  return node.type === 'html' && depth === 2 ? findOpenHtml(source, text.slice(end.offset)) : null;
}

function findOpenFence(source: string, indentMin: number): OpenBlock | null {
  const fence = /^(?:`{3,}|~{3,})/.exec(source)?.[0];
  if (fence === undefined) return null;
  const isEnd = (line: string): boolean => {
    const marker = line.replace(/^[\s>]+/, '').trimEnd();
    return marker.length >= fence.length && marker === (fence[0] ?? '').repeat(marker.length);
  };
  const lines = source.split('\n');
  return lines.length > 1 && isEnd(lines.at(-1) ?? '') ? null : { isEnd, indentMin };
}

function findOpenHtml(source: string, after: string): OpenBlock | null {
  const rule = HTML_ENDS.find(([start]) => start.test(source));
  if (rule === undefined) {
    return after.includes('\n') ? null : { isEnd: (line) => line.trim() === '', indentMin: 0 };
  }
  const [, end] = rule;
  return end.test(source.slice(2)) ? null : { isEnd: (line) => end.test(line), indentMin: 0 };
}
