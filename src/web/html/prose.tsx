import MarkdownIt, { type Token } from 'markdown-it';
import type { JSX } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';

const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
const { escapeHtml } = markdown.utils;

markdown.validateLink = (href) => /^(?:https?:|mailto:|[/#])/.test(href);
markdown.core.ruler.push('page', ({ tokens }) => adapt(tokens));
markdown.renderer.rules.fence = renderCode;
markdown.renderer.rules.code_block = renderCode;

/** Renders our own Markdown. HTML in it is shown as text. */
export function Prose({ text }: { readonly text: string }): JSX.Element {
  return jsxTemplate([markdown.render(text)]);
}

/** Returns the id of a heading of {@link Prose}, such as `how-to-keep-it-out`. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Uses h2 and h3, since the page has its h1 already. The first cell of a row of a table names it; each other cell has its label, for
 * narrow screens, where rows are blocks.
 */
function adapt(tokens: readonly Token[]): void {
  let titles: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    const { type, tag } = token;
    const text = tokens[index + 1]?.content ?? '';
    if (type === 'heading_open') token.attrSet('id', headingId(text));
    if (/^h[1-6]$/.test(tag)) token.tag = tag < 'h3' ? 'h2' : 'h3';
    if (type === 'table_open') {
      token.attrSet('class', 'texts stack');
      titles = [];
    }
    if (type === 'tr_open') column = 0;
    if (type === 'th_open') {
      titles.push(text);
      token.attrSet('scope', 'col');
    }
    if (tag === 'td' && column === 0) token.tag = 'th';
    if (type === 'td_open' && column === 0) token.attrSet('scope', 'row');
    if (type === 'td_open' && column > 0) token.attrSet('data-label', titles[column] ?? '');
    if (type === 'td_close') column += 1;
    // The policy of our pages allows no style.
    const style = String(token.attrGet('style') ?? '');
    if (style !== '') {
      token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
      if (style.includes('right')) token.attrSet('class', 'r');
    }
  }
}

/** The words after the language of a fenced block are its label. */
function renderCode(tokens: readonly Token[], index: number): string {
  const { content = '', info = '' } = tokens[index] ?? {};
  const [, label = 'snippet'] = /^\s*\S+\s+(\S.*)$/.exec(info) ?? [];
  const text = escapeHtml(content.replace(/\n$/, ''));
  return `<div class="code" role="group" aria-label="${escapeHtml(label)}"><pre><code>${text}</code></pre></div>`;
}
