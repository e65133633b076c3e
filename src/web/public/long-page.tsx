import type { JSX } from 'preact';
import { headingId, Prose } from '../html/prose.js';
import { Group, PageHeader } from '../html/page-header.js';
import { WithSidebar } from '../html/sidebar.js';
import type { Page } from '../server/page.js';
import type { PageText } from './page-text.js';

interface AnchorsProps {
  /** Places in the page, and what they are called. */
  readonly links: readonly (readonly [id: string, text: string])[];
}

export function Anchors({ links }: AnchorsProps): JSX.Element {
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
