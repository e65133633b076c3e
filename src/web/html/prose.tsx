import MarkdownIt, { type Token } from 'markdown-it';
import type { JSX } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';

const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
const { escapeHtml } = markdown.utils;

markdown.validateLink = (href) => /^(?:https?:|mailto:|[/#])/.test(href);
markdown.core.ruler.push('page', ({ tokens }) => {
  tokens.forEach(dressHeading);
  tokens.forEach(dressTable);
});
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

/** Uses h2 and h3: the page has its h1 already. */
function dressHeading(token: Token, index: number, tokens: readonly Token[]): void {
  if (token.type === 'heading_open') token.attrSet('id', headingId(tokens[index + 1]?.content ?? ''));
  if (/^h[1-6]$/.test(token.tag)) token.tag = token.tag === 'h1' || token.tag === 'h2' ? 'h2' : 'h3';
}

/** The first cell of a row names it. Rows of three columns and more become blocks on narrow screens, where each cell has its label. */
function dressTable(token: Token, index: number, tokens: readonly Token[]): void {
  const since = (type: string): readonly Token[] => {
    const start = tokens.findLastIndex((one, at) => at <= index && one.type === type);
    return tokens.slice(Math.max(start, 0), index);
  };
  if (token.type === 'thead_close') {
    const columns = since('table_open').filter(({ type }) => type === 'th_open').length;
    tokens
      .findLast((one, at) => at < index && one.type === 'table_open')
      ?.attrSet('class', columns > 2 ? 'texts stack' : 'texts');
  }
  if (token.type === 'th_open') token.attrSet('scope', 'col');
  if (token.type === 'td_open' || token.type === 'td_close') {
    const column = since('tr_open').filter(({ type }) => type === 'td_open').length - (token.nesting < 0 ? 1 : 0);
    if (column === 0) token.tag = 'th';
    if (token.nesting > 0) {
      const titles = since('table_open').flatMap(({ type }, at, head) =>
        type === 'th_open' ? [head[at + 1]?.content ?? ''] : [],
      );
      token.attrSet(column === 0 ? 'scope' : 'data-label', column === 0 ? 'row' : (titles[column] ?? ''));
    }
  }
  // The policy of our pages allows no style.
  if (token.type === 'th_open' || token.type === 'td_open') {
    const isRight = String(token.attrGet('style') ?? '').includes('right');
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
    if (isRight) token.attrSet('class', 'r');
  }
}

/** The words after the language of a fenced block are its label. */
function renderCode(tokens: readonly Token[], index: number): string {
  const { content = '', info = '' } = tokens[index] ?? {};
  const [, label = 'snippet'] = /^\s*\S+\s+(\S.*)$/.exec(info) ?? [];
  const text = escapeHtml(content.replace(/\n$/, ''));
  return `<div class="code" role="group" aria-label="${escapeHtml(label)}"><pre><code>${text}</code></pre></div>`;
}
