import type { ComponentChildren, JSX } from 'preact';
import { headingId, Prose } from '../html/prose.js';
import { Group, PageHeader } from '../html/page-header.js';
import { WithSidebar } from '../html/sidebar.js';
import type { Page } from '../server/page.js';
import type { PageText } from './page-text.js';

interface SideNavProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Links to the parts of a page, which stay in sight where there is room. */
export function SideNav({ label, children }: SideNavProps): JSX.Element {
  return (
    <nav class="side" aria-label={label}>
      {children}
    </nav>
  );
}

/** A place in the page, and what it is called. */
export type Anchor = readonly [id: string, text: string];

export function Anchors({ links }: { readonly links: readonly Anchor[] }): JSX.Element {
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

/** The sections of a text in Markdown. */
export function sectionsOf(text: string): readonly Anchor[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => [headingId(title), title]);
}

/** A page of text: each part with its heading in the gutter, and links to the parts in the sidebar. @param head below the title */
export function longPage({ heading, lead, body }: PageText, head?: ComponentChildren): Pick<Page, 'header' | 'main'> {
  const [introduction = '', ...parts] = body.trim().split(/^## /m);
  return {
    header: (
      <PageHeader title={heading} lead={lead}>
        {head}
      </PageHeader>
    ),
    main: (
      <WithSidebar
        rail={
          <SideNav label="On this page">
            <h2>On this page</h2>
            <Anchors links={sectionsOf(body)} />
          </SideNav>
        }
      >
        <div class="text">
          {introduction !== '' && (
            <div>
              <Prose text={introduction} />
            </div>
          )}
          {parts.map((part) => {
            const [title = ''] = part.split('\n', 1);
            return (
              <Group key={title} title={title} id={headingId(title)}>
                <Prose text={part.slice(title.length)} />
              </Group>
            );
          })}
        </div>
      </WithSidebar>
    ),
  };
}
