import type { ComponentChildren, JSX } from 'preact';
import { headingId } from '../../kit/components/prose.js';
import { Mast } from '../../kit/components/mast.js';
import type { Page } from '../../kit/page.js';
import type { PageText } from './page-text.js';

/** A page of fewer sections is read without a list of them. */
const SECTIONS_MIN = 2;

/** Links to the parts of a page, which stay in sight where there is room. */
export function SideNav({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <nav class="side" aria-label={label}>
      <div class="side-list">{children}</div>
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

/** A page of text: its sections at the side, where there are several. */
export function longPage({ heading, lead, body }: PageText, main: JSX.Element): Pick<Page, 'mast' | 'main'> {
  const sections = sectionsOf(body);
  const text = <div class="text">{main}</div>;
  return {
    mast: <Mast title={heading} lead={lead} />,
    main:
      sections.length < SECTIONS_MIN ? (
        <div class="w over-text">{text}</div>
      ) : (
        <div class="w ref">
          <SideNav label="On this page">
            <Anchors links={sections} />
          </SideNav>
          {text}
        </div>
      ),
  };
}
