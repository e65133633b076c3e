import type { JSX } from 'preact';
import { headingId, Prose } from '../html/prose.js';
import { PageHeader } from '../html/page-header.js';
import { Group, WithSidebar } from '../html/sections.js';
import type { Page, RouteDeps } from '../server/page.js';
import { FREE_SCAN_CACHE_MS } from '../../app/free-scan/free-scan.js';
import { countOf } from '../../scanner/artifacts/counts.js';

/** Links to parts of the page. */
export function Anchors({ links }: { readonly links: readonly (readonly [id: string, text: string])[] }): JSX.Element {
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

/** A page of text: each part with its heading in the gutter, and links to the parts in the sidebar. */
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

export type Facts = Pick<
  RouteDeps,
  'publicUrl' | 'contact' | 'isSignUpOpen' | 'checks' | 'document' | 'evidenceDays' | 'version'
>;

/** How long the result of a free scan is stored, such as `1 hour`. */
export const FREE_SCAN_KEPT = countOf(FREE_SCAN_CACHE_MS / 3_600_000, 'hour');

/** The text of a page, from which its HTML and its Markdown are made. Links within the site begin with `/`. */
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
