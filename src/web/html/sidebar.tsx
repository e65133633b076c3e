import type { ComponentChildren, JSX } from 'preact';

interface WithSidebarProps {
  /** At the right, or below on a narrow screen: parts that each have a title. */
  readonly rail?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page below its head: work at the left, a sidebar at the right. */
export function WithSidebar({ rail, children }: WithSidebarProps): JSX.Element {
  return (
    <div class="w with-sidebar">
      <div>{children}</div>
      {rail !== undefined && <aside class="sidebar">{rail}</aside>}
    </div>
  );
}

interface SidebarPartProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

export function SidebarPart({ title, children }: SidebarPartProps): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A part with a paragraph. */
export function SidebarText({ title, children }: SidebarPartProps): JSX.Element {
  return (
    <SidebarPart title={title}>
      <p class="small soft">{children}</p>
    </SidebarPart>
  );
}

/** A name and its value. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** DescriptionList as a list; one that does not apply is left out. */
export function DescriptionList({ facts }: { readonly facts: readonly (Fact | false | null)[] }): JSX.Element {
  return (
    <dl class="dl">
      {facts.map(
        (fact) =>
          fact && (
            <>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </>
          ),
      )}
    </dl>
  );
}
