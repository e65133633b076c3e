import { PageHeader } from '../html/page-header.js';
import { Group, WithSidebar } from '../html/sections.js';
import type { Page, RouteDeps } from '../server/page.js';
import { FREE_SCAN_CACHE_MS } from '../../app/free-scan/free-scan-store.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import MarkdownIt, { type Token } from 'markdown-it';
import { jsxTemplate } from 'preact/jsx-runtime';

export function Anchors({ links }: { readonly links: readonly (readonly [id: string, text: string])[] }) {
  return (
    <ul>
      {links.map(([id, text]) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

/** Builds a page of text, with links to its parts in the sidebar. */
export function longPage({ heading, lead, body }: PageText): Pick<Page, 'header' | 'main'> {
  const [introduction = '', ...parts] = body.trim().split(/^## /m);
  const sections = parts.map((part) => {
    const [title = ''] = part.split('\n', 1);
    return { id: headingId(title), title, text: part.slice(title.length) };
  });
  return {
    header: <PageHeader title={heading} lead={lead} />,
    main: (
      <WithSidebar
        sidebar={
          <nav class="contents" aria-label="On this page">
            <h2>On this page</h2>
            <Anchors links={sections.map(({ id, title }) => [id, title])} />
          </nav>
        }
      >
        <div class="text">
          {introduction !== '' && (
            <div>
              <Prose text={introduction} />
            </div>
          )}
          {sections.map(({ id, title, text }) => (
            <Group key={id} title={title} id={id}>
              <Prose text={text} />
            </Group>
          ))}
        </div>
      </WithSidebar>
    ),
  };
}

/** Services and settings that public pages use. */
export type PublicDeps = Pick<
  RouteDeps,
  'publicUrl' | 'contact' | 'isSignUpOpen' | 'checks' | 'document' | 'evidenceDays' | 'version'
>;

/** How long the result of a free scan is stored, such as `1 hour`. */
export const FREE_SCAN_LIFE = countOf(FREE_SCAN_CACHE_MS / 3_600_000, 'hour');

/** Source of a page's HTML and Markdown. Links within the site begin with `/`. */
export interface PageText {
  readonly heading: string;
  readonly lead: string;
  /** Markdown, whose headings begin at the second level. */
  readonly body: string;
}

/** Formats a page as Markdown, with absolute URLs, since it may be read elsewhere. */
export function formatPage({ heading, lead, body }: PageText, publicUrl: string): string {
  return `# ${heading}\n\n> ${lead}\n\n${body.trim()}\n`.replaceAll('](/', `](${publicUrl}/`);
}

/** Formats a Markdown table. @param rows without `|` in their cells */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const markdown = new MarkdownIt('commonmark', { html: false }).enable('table');
const { escapeHtml } = markdown.utils;

markdown.validateLink = (href) => /^(?:https?:|mailto:|[/#])/.test(href);
markdown.core.ruler.push('page', ({ tokens }) => adaptTokens(tokens));
markdown.renderer.rules.fence = renderCode;
markdown.renderer.rules.code_block = renderCode;

/** Renders our own Markdown. HTML in it is shown as text. */
export function Prose({ text }: { readonly text: string }) {
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
 * Turns headings into h2 and h3, since the page has its h1. Makes the first cell of a table row its heading, and labels the others for
 * narrow screens, where rows are blocks.
 */
function adaptTokens(tokens: readonly Token[]): void {
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
    // Our Content-Security-Policy forbids style attributes.
    const style = String(token.attrGet('style') ?? '');
    if (style !== '') {
      token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
      if (style.includes('right')) token.attrSet('class', 'r');
    }
  }
}

/** Renders a block of code. Words after its language are its label. */
function renderCode(tokens: readonly Token[], index: number): string {
  const { content = '', info = '' } = tokens[index] ?? {};
  const [, label = 'snippet'] = /^\s*\S+\s+(\S.*)$/.exec(info) ?? [];
  const text = escapeHtml(content.replace(/\n$/, ''));
  return `<div class="code" role="group" aria-label="${escapeHtml(label)}"><pre><code>${text}</code></pre></div>`;
}
