import { parseDocument } from 'htmlparser2';
import { Fragment, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { escapeMarkdown, formatSnippet } from '../../scanner/report/markdown.js';
import type { Page } from '../server/page.js';

type Node = ReturnType<typeof parseDocument>['children'][number];

/** Elements that only people use. */
const OMITTED: ReadonlySet<string> = new Set(['svg', 'form', 'nav', 'style', 'script']);

const INLINE: ReadonlySet<string> = new Set(['a', 'b', 'bdi', 'code', 'em', 'small', 'span', 'strong', 'mark', 'wbr']);

/** Converts a page to Markdown with absolute URLs. Omits forms, pictures and elements with `data-html-only`. */
export function toMarkdown({ header, main }: Pick<Page, 'header' | 'main'>, publicUrl: string): string {
  const html = renderToString(h(Fragment, null, header, main));
  const blocks = blocksOf(parseDocument(html).children);
  const text = blocks.reduce((text, block) => `${text}${isItem(text) && isItem(block) ? '\n' : '\n\n'}${block}`);
  return `${text}\n`.replaceAll('](/', `](${publicUrl}/`);
}

/** True if the last line of the text is an item of a list. */
function isItem(text: string): boolean {
  return (text.split('\n').at(-1) ?? '').startsWith('- ');
}

/** Returns blocks of Markdown: headings, paragraphs, list items, code. */
function blocksOf(nodes: readonly Node[]): string[] {
  const blocks: string[] = [];
  let line = '';
  const endLine = (): void => {
    if (line.trim() !== '') blocks.push(line.trim());
    line = '';
  };
  for (const node of nodes) {
    if ('data' in node || ('attribs' in node && INLINE.has(node.name))) line += formatInline(node);
    else {
      endLine();
      blocks.push(...blocksOfElement(node));
    }
  }
  endLine();
  return blocks;
}

function blocksOfElement(node: Node): string[] {
  if (!('attribs' in node) || OMITTED.has(node.name) || 'data-html-only' in node.attribs) return [];
  const { name, children, attribs } = node;
  if (name === 'pre') return [formatSnippet(textOf(node).replace(/\n$/, ''))];
  if (/^h[1-6]$/.test(name)) return [`${'#'.repeat(Number(name[1]))} ${formatInline(node).trim()}`];
  if (name === 'li' || name === 'dd') return [`- ${formatInline(node).trim()}`];
  if (name === 'dt') return [`**${formatInline(node).trim()}**`];
  const blocks = blocksOf(children);
  return attribs.class === 'lead' ? blocks.map((block) => `> ${block}`) : blocks;
}

function formatInline(node: Node): string {
  if ('data' in node) return escapeMarkdown(textOf(node).replace(/\s+/g, ' '));
  if (!('attribs' in node) || OMITTED.has(node.name)) return '';
  const text = node.children.map(formatInline).join('');
  if (node.name === 'a') return `[${text.trim()}](${node.attribs.href})`;
  if (node.name === 'code') return `\`${textOf(node)}\``;
  if (node.name === 'b' || node.name === 'strong') return `**${text}**`;
  return INLINE.has(node.name) ? text : ` ${text} `;
}

function textOf(node: Node): string {
  if ('data' in node) return node.data;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
