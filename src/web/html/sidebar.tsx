import type { ComponentChildren, JSX } from 'preact';

interface WithSidebarProps {
  /** At the right, or below on a narrow screen: parts that each have a title. */
  readonly sidebar?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page below its head: work at the left, a sidebar at the right. */
export function WithSidebar({ sidebar, children }: WithSidebarProps): JSX.Element {
  return (
    <div class="w with-sidebar">
      <div>{children}</div>
      {sidebar !== undefined && <aside class="sidebar">{sidebar}</aside>}
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

/** A name and its value. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

/** Facts as a list; one that does not apply is left out. */
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

/** Minimum width, of 100, so that the bar is visible. */
const LEAST_WIDTH = 2;

/** A bar that shows how much of a limit is used. Figures next to it say the same. */
export function UseBar({ used, max }: { readonly used: number; readonly max: number }): JSX.Element {
  const width = used > 0 ? Math.max(Math.round(Math.min(used / max, 1) * 1000) / 10, LEAST_WIDTH) : 0;
  return (
    <svg class="use" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <path class="bar-whole" d="M0 0h100v6H0z" />
      <path class="bar-used" d={`M0 0h${width}v6H0z`} />
    </svg>
  );
}
